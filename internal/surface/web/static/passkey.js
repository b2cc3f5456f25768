// Passkeys: making one for this device, and signing in with it. They are shown where the browser can.

import { byId, complain, post } from "./dom.js";

/** What a browser may lack: the forms of the options and of what comes of them as JSON. */
const can = "PublicKeyCredential" in globalThis && "parseCreationOptionsFromJSON" in PublicKeyCredential;

/** Makes a passkey. */
async function add() {
	const options = await (await post("/passkey/begin")).json();
	const made = /** @type {PublicKeyCredential | null} */ (await navigator.credentials.create({
		publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
	}));
	if (!made) return;
	await post("/passkey/add", { credential: JSON.stringify(made.toJSON()) });
	location.reload();
}

/** Signs in with a passkey. */
async function enter() {
	const { id, options } = await (await post("/sign-in/passkey/begin")).json();
	const got = /** @type {PublicKeyCredential | null} */ (await navigator.credentials.get({
		publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
	}));
	if (!got) return;
	await post("/sign-in/passkey", { id, credential: JSON.stringify(got.toJSON()) });
	location.assign("/");
}

/** Takes over the buttons. */
export function start() {
	for (const [id, does] of /** @type {const} */ ([["passkey-add", add], ["passkey-in", enter]])) {
		const button = byId(id, HTMLButtonElement);
		if (!button) continue;
		button.hidden = !can;
		const why = byId("passkey-why", HTMLElement);
		if (why) why.hidden = can;
		button.addEventListener("click", async () => {
			complain(null);
			button.disabled = true;
			await does().catch(complain);
			button.disabled = false;
		});
	}
}
