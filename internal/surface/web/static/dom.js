// What the other modules share: finding elements, making them of what the server renders, and asking the server.

// A browser with Trusted Types takes a string for HTML from this policy alone, and the Content-Security-Policy permits no other.
// The strings come from hob, which escapes what models and strangers write. What a parser makes of them runs no script.
const trust = /** @type {{createPolicy(name: string, rules: {createHTML(s: string): string}): {createHTML(s: string): any}} | undefined} */ (
	Reflect.get(globalThis, "trustedTypes"))?.createPolicy("hob", { createHTML: (s) => s });

/**
 * Returns the element with an id, which is of a type.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T | null}
 */
export function byId(id, type) {
	const found = document.getElementById(id);
	return found instanceof type ? found : null;
}

/**
 * Makes nodes of HTML that hob rendered.
 * @param {string} html
 * @returns {DocumentFragment}
 */
export function parse(html) {
	const made = document.createDocumentFragment();
	made.append(...new DOMParser().parseFromString(trust ? trust.createHTML(html) : html, "text/html").body.childNodes);
	return document.adoptNode(made);
}

/**
 * Makes an element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(name, attributes, ...children) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
	made.append(...children);
	return made;
}

/** What somebody can reach by keyboard. */
const reached = "a, button, input, textarea, select, summary, [tabindex]";

/**
 * Finds what stands for an element in a newer form of what it is in: the same place in the part of the same name.
 * @param {Element} root
 * @param {Element} fresh
 * @param {Element} element
 * @param {string} kind the selector by which places are counted
 * @returns {Element | undefined}
 */
function counterpart(root, fresh, element, kind) {
	const part = element.closest("[data-tool], [id]");
	const name = part?.id ? `#${CSS.escape(part.id)}` : part ? `[data-tool="${CSS.escape(part.getAttribute("data-tool") ?? "")}"]` : "";
	const inner = part && part !== root && root.contains(part);
	const from = inner ? part : root, to = inner ? fresh.querySelector(name) : fresh;
	if (inner && part === element) return to ?? undefined;
	return to?.querySelectorAll(kind)[[...from.querySelectorAll(kind)].indexOf(element)];
}

/**
 * Puts a new element into the place of an old one. What somebody has opened in it stays open, and where they are in it they stay.
 * @param {Element} old
 * @param {Element} fresh
 */
export function replace(old, fresh) {
	for (const d of old.querySelectorAll("details")) {
		const next = counterpart(old, fresh, d, "details");
		if (next instanceof HTMLDetailsElement) next.open = d.open;
	}
	if (old instanceof HTMLDetailsElement && fresh instanceof HTMLDetailsElement) fresh.open = old.open;
	const at = document.activeElement;
	const next = at && old.contains(at) ? counterpart(old, fresh, at, reached) : undefined;
	old.replaceWith(fresh);
	if (next instanceof HTMLElement) next.focus({ preventScroll: true });
	else if (at && old.contains(at) && fresh instanceof HTMLElement) { // what they pressed is gone: they go on from where it was
		fresh.tabIndex = -1;
		fresh.focus({ preventScroll: true });
	}
}

/** Shows the end of the page. */
export function showEnd() {
	document.documentElement.scrollTop = document.documentElement.scrollHeight;
}

/**
 * Says something to screen readers.
 * @param {string} text
 */
export function say(text) {
	const place = document.getElementById("status");
	if (place && place.textContent !== text) place.textContent = text;
}

/**
 * Shows what went wrong, until something else is done.
 * @param {unknown} problem
 */
export function complain(problem) {
	const place = document.getElementById("toast");
	if (place) place.textContent = problem instanceof Error ? problem.message : String(problem ?? "");
}

/**
 * Takes a complaint back, if it is the one that is shown.
 * @param {string} problem
 */
export function withdraw(problem) {
	if (document.getElementById("toast")?.textContent === problem) complain(null);
}

/** Words of this view's language, which the server has put into the page. @param {string} key */
export const word = (key) => document.getElementById("status")?.dataset[key] ?? "";

/** The chat that the view shows. */
export const chat = document.body.dataset["chat"] ?? "";

/** What the server refuses, in its own words. */
export class Refused extends Error {}

/**
 * Asks the server. What it refuses is thrown; a session that is over, or too old, leads to the sign-in.
 * @param {string} url
 * @param {string} part the id of the element that is wanted; "none" for nothing
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export async function request(url, part, how = {}) {
	/** @type {Response} */
	let answer;
	try {
		answer = await fetch(url, { ...how, headers: { "X-Hob-Part": part } });
	} catch {
		throw new Refused(word("offline"));
	}
	if (answer.ok) return answer;
	const refusal = /** @type {{error?: string, sign_in?: boolean}} */ (await answer.json().catch(() => ({})));
	if (refusal.sign_in) location.assign("/sign-in");
	throw new Refused(refusal.error ?? `${answer.status} ${answer.statusText}`);
}

/**
 * Asks the server for nodes.
 * @param {string} url
 * @param {string} part
 * @param {RequestInit} [how]
 */
export const ask = async (url, part, how) => parse(await (await request(url, part, how)).text());

/**
 * Sends fields, with the token of the session's forms.
 * @param {string} url
 * @param {Record<string, string>} [fields]
 */
export function post(url, fields = {}) {
	const csrf = document.querySelector("meta[name=csrf]")?.getAttribute("content") ?? "";
	return request(url, "none", { method: "POST", body: new URLSearchParams({ csrf, ...fields }) });
}

/**
 * Sends a form as the browser would, and returns what comes back.
 * @param {HTMLFormElement} form
 * @param {string} part
 * @param {HTMLElement | null} [submitter] the button that was pressed
 * @returns {Promise<DocumentFragment>}
 */
export function send(form, part, submitter = null) {
	const fields = new FormData(form, submitter);
	const body = form.enctype === "multipart/form-data" ? fields
		: new URLSearchParams([...fields].map(([k, v]) => [k, String(v)]));
	return ask(form.action, part, { method: "POST", body });
}

/** The parts of views that are got alone, and the views that have them. */
const panels = { "tools-panel": "/tools", "story-panel": "/story", "chats-panel": "/" };

/** What gets each part anew by now: one after the other, or an older answer could replace a newer one. @type {Map<string, Promise<void>>} */
const refreshing = new Map();

/**
 * Gets a part of a view anew, where this view shows it.
 * @param {keyof typeof panels} id
 */
export function refresh(id) {
	const next = (refreshing.get(id) ?? Promise.resolve()).catch(() => {}).then(() => renew(id));
	refreshing.set(id, next);
	return next;
}

/** @param {keyof typeof panels} id */
async function renew(id) {
	const place = id === "story-panel" ? document.getElementById("story-side") : null; // a story can begin later than the view
	if (!document.getElementById(id) && !place) return;
	const fresh = (await ask(`${panels[id]}?${new URLSearchParams({ chat })}`, id)).firstElementChild;
	const map = fresh?.querySelector("img");
	if (map) await map.decode().catch(() => {}); // the old one stays until the new one is there
	const old = document.getElementById(id);
	if (fresh && old) replace(old, fresh);
	else if (fresh) place?.append(fresh);
}

/** Gets all parts anew that a command can change. */
export async function refreshAll() {
	await Promise.all([refresh("tools-panel"), refresh("story-panel"), refresh("chats-panel")]);
}
