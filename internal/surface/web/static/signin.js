// The sign-in: a link has its code in the fragment, which no server and no log sees. The person sees who signs in where, and
// presses.

import { byId } from "./dom.js";

/** Sends the code of a link on, also of one that is opened while the page of the sign-in is: that loads no page anew. */
export function start() {
	addEventListener("hashchange", sendOn);
	sendOn();
}

function sendOn() {
	const form = byId("code", HTMLFormElement), code = decodeURIComponent(location.hash.slice(1));
	const field = form?.elements.namedItem("code");
	if (!form || !(field instanceof HTMLInputElement) || !code) return;
	history.replaceState(null, "", location.pathname + location.search); // the history of the browser keeps no code
	field.value = code;
	form.requestSubmit();
}
