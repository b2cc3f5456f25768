// One stream of events for all tabs of a browser: HTTP/1.1 gives a page no more than six connections, and ten tabs can be open.
//
// The tab that holds the lock has the stream, of all the chats that tabs show, and hands its events to the others. When it is
// closed, the browser gives the lock to the next. A tab that comes says which chat it shows and up to where; then the stream
// begins anew, so that the tab gets what it lacks and the reply that is being written. Others get that twice: each item has an
// id, and each beginning of a draft replaces the one before.

import { chat } from "./dom.js";

/**
 * @typedef {object} Happening what the server sends; see package web
 * @property {"item" | "draft" | "state" | "story" | "reset" | "gone" | "refused" | "lost" | "found"} type the last three are of this module
 * @property {boolean} [open] whether the chat plays a story
 * @property {string} [chat]
 * @property {number} [seq]
 * @property {number} [turn]
 * @property {string} [id]
 * @property {boolean} [again] it changes what is there already
 * @property {string} [html]
 * @property {boolean} [restart]
 * @property {string} [settled]
 * @property {string} [tail]
 * @property {boolean} [running]
 * @property {string} [text]
 * @property {number} [questions]
 */

/** @typedef {{kind: "here", tab: string, chat: string, seq: number} | {kind: "who"} | {kind: "leave", tab: string} | {kind: "event", event: Happening}} Note */

const types = /** @type {const} */ (["item", "draft", "state", "story", "reset", "gone"]);

/** How many chats a stream can have. */
const chatsOfStream = 8;

/**
 * Follows what happens in the chat of this tab.
 * @param {(event: Happening) => void} hear
 * @param {() => number} shown the Seq up to which the tab shows it
 */
export function follow(hear, shown) {
	const tab = crypto.randomUUID();
	const channel = new BroadcastChannel("hob");
	/** @type {Map<string, {chat: string, seq: number}>} the tabs, where this one has the stream */
	const tabs = new Map();
	/** @type {EventSource[]} */
	let sources = [];
	let leads = false;
	let planned = false;
	let left = false;

	/** @param {Note} note */
	const tell = (note) => channel.postMessage(note);
	const here = () => /** @type {Note} */ ({ kind: "here", tab, chat, seq: shown() });

	/** @param {Happening} event */
	const take = (event) => {
		if (event.chat === undefined || event.chat === chat) hear(event);
	};

	/** @param {Happening} event */
	const tellAll = (event) => {
		tell({ kind: "event", event });
		take(event);
	};

	/** Begins a stream of chats, each after the Seq up to which tabs show it. @param {[string, number][]} chats */
	const open = (chats) => {
		const source = new EventSource(`/events?${new URLSearchParams(chats.flatMap(([c, seq]) => [["chat", c], ["after", String(seq)]]))}`);
		for (const type of types) {
			source.addEventListener(type, (e) => {
				/** @type {Happening} */
				const event = { type, ...JSON.parse(e.data) };
				for (const t of tabs.values()) {
					if (t.chat === event.chat && event.seq) t.seq = Math.max(t.seq, event.seq);
				}
				tellAll(event);
			});
		}
		// A browser tries again by itself, but not after a refusal.
		source.addEventListener("error", () => {
			if (source.readyState === EventSource.CLOSED) hear({ type: "refused" });
			else tellAll({ type: "lost" });
		});
		source.addEventListener("open", () => tellAll({ type: "found" }));
		return source;
	};

	const close = () => {
		for (const s of sources) s.close();
	};

	// Tabs that come together, as after a restart of the browser, begin one stream.
	const begin = () => {
		if (!leads || left || planned) return;
		planned = true;
		setTimeout(() => {
			planned = false;
			close();
			if (left) return;
			/** @type {Map<string, number>} */
			const chats = new Map();
			for (const t of tabs.values()) chats.set(t.chat, Math.min(t.seq, chats.get(t.chat) ?? t.seq));
			const all = [...chats];
			sources = [];
			for (let i = 0; i < all.length; i += chatsOfStream) sources.push(open(all.slice(i, i + chatsOfStream)));
		}, 20);
	};

	channel.addEventListener("message", (e) => {
		/** @type {Note} */
		const note = e.data;
		if (note.kind === "event") take(note.event);
		else if (note.kind === "who") tell(here());
		else if (note.kind === "leave") tabs.delete(note.tab);
		else if (leads) {
			tabs.set(note.tab, note);
			begin();
		}
	});
	addEventListener("pagehide", () => tell({ kind: "leave", tab }));
	// Whoever signs out needs no stream: it would be refused before the next page is there.
	addEventListener("submit", (e) => {
		if (e.target instanceof HTMLFormElement && new URL(e.target.action).pathname === "/sign-in/leave") {
			left = true;
			close();
		}
	});

	tell(here());
	navigator.locks.request("hob-stream", () => {
		leads = true;
		tabs.set(tab, { chat, seq: shown() });
		tell({ kind: "who" });
		begin();
		return new Promise(() => {}); // until the tab is closed
	});
}
