// Notifications while the page is open and nobody looks at it, where the person allows them.

import { byId, parse, word } from "./dom.js";

/** @typedef {import("./stream.js").Happening} Happening */

/** Offers to notify, by a press: browsers ask for nothing that a page wants by itself. */
export function offer() {
	const button = byId("notify", HTMLButtonElement);
	if (!button || !("Notification" in globalThis) || Notification.permission !== "default") return;
	button.hidden = false;
	button.addEventListener("click", async () => {
		await Notification.requestPermission();
		button.hidden = true;
	});
}

/**
 * Tells of a reply, a question or a reminder, if the page is not seen. Tabs of the same chat tell the same, which is shown once.
 * @param {Happening} event
 */
export function notify(event) {
	if (!document.hidden || !("Notification" in globalThis) || Notification.permission !== "granted") return;
	const item = parse(event.html ?? "").firstElementChild;
	if (!item?.matches(".reply, .question, [data-loud]")) return;
	const text = item.querySelector(".text, .md, pre")?.textContent?.trim() ?? "";
	const title = item.matches(".question") ? word("asks") : "hob";
	const shown = new Notification(title, { body: text.slice(0, 200), tag: `${event.chat}-${event.id}` });
	shown.addEventListener("click", () => { window.focus(); shown.close(); });
}
