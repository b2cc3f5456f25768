// The map of a story: pan with a pointer or the arrow keys, zoom with two fingers, the wheel, the keys + and - or the buttons.

import { byId } from "./dom.js";

/** Where somebody has moved the map to. It stays so when the story goes on and the map is drawn anew. */
const view = { x: 0, y: 0, scale: 1 };

const most = 8;

/** Shows the map as it was moved. */
function apply() {
	const map = byId("map", HTMLImageElement), frame = map?.parentElement;
	if (!map || !frame) return;
	// Half of the frame is always map.
	const w = frame.clientWidth, h = frame.clientHeight, room = 0.5;
	view.x = Math.min(w * room, Math.max(view.x, w * (1 - room) - w * view.scale));
	view.y = Math.min(h * room, Math.max(view.y, h * (1 - room) - h * view.scale));
	map.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
}

/**
 * Zooms, and keeps a point of the frame where it is.
 * @param {number} by
 * @param {number} x
 * @param {number} y
 */
function zoom(by, x, y) {
	const scale = Math.min(most, Math.max(1, view.scale * by));
	view.x = x - (x - view.x) * scale / view.scale;
	view.y = y - (y - view.y) * scale / view.scale;
	view.scale = scale;
	if (scale === 1) view.x = view.y = 0;
	apply();
}

/** @param {HTMLElement} frame @param {string} what */
function step(frame, what) {
	const x = frame.clientWidth / 2, y = frame.clientHeight / 2, pace = 40;
	switch (what) {
	case "in": case "+": case "=": return zoom(1.4, x, y);
	case "out": case "-": return zoom(1 / 1.4, x, y);
	case "whole": case "0": return zoom(0, x, y);
	case "ArrowLeft": view.x += pace; break;
	case "ArrowRight": view.x -= pace; break;
	case "ArrowUp": view.y += pace; break;
	case "ArrowDown": view.y -= pace; break;
	}
	apply();
}

/** The frame of the map, if the event is in one. @param {Event} e */
const frameOf = (e) => e.target instanceof Element ? /** @type {HTMLElement | null} */ (e.target.closest(".map-frame")) : null;

/** Makes maps move, those that come later, too. */
export function start() {
	/** @type {Map<number, {x: number, y: number}>} pointers that are down on the map */
	const down = new Map();

	document.addEventListener("pointerdown", (e) => {
		const frame = frameOf(e);
		if (!frame || e.button !== 0) return;
		down.set(e.pointerId, { x: e.clientX, y: e.clientY });
		frame.setPointerCapture(e.pointerId);
	});
	document.addEventListener("pointermove", (e) => {
		const frame = frameOf(e), before = down.get(e.pointerId);
		if (!frame || !before) return;
		const now = { x: e.clientX, y: e.clientY };
		const other = [...down].find(([id]) => id !== e.pointerId)?.[1];
		down.set(e.pointerId, now);
		if (!other) {
			view.x += now.x - before.x;
			view.y += now.y - before.y;
			return apply();
		}
		const apart = Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y);
		const box = frame.getBoundingClientRect();
		if (Number.isFinite(apart)) zoom(apart, (now.x + other.x) / 2 - box.x, (now.y + other.y) / 2 - box.y);
	});
	for (const type of ["pointerup", "pointercancel"]) {
		document.addEventListener(type, (e) => down.delete(/** @type {PointerEvent} */ (e).pointerId));
	}
	// The wheel alone scrolls the page.
	document.addEventListener("wheel", (e) => {
		const frame = frameOf(e);
		if (!frame || !e.ctrlKey) return;
		e.preventDefault();
		const box = frame.getBoundingClientRect();
		zoom(Math.exp(-e.deltaY / 300), e.clientX - box.x, e.clientY - box.y);
	}, { passive: false });
	document.addEventListener("dblclick", (e) => {
		const box = frameOf(e)?.getBoundingClientRect();
		if (box) zoom(2, e.clientX - box.x, e.clientY - box.y);
	});
	document.addEventListener("keydown", (e) => {
		const frame = frameOf(e);
		if (!frame || e.target !== frame || e.ctrlKey || e.metaKey || e.altKey || !/^(Arrow(Left|Right|Up|Down)|[-+=0])$/.test(e.key)) return;
		e.preventDefault();
		step(frame, e.key);
	});
	document.addEventListener("click", (e) => {
		const button = e.target instanceof Element ? e.target.closest("button[data-map]") : null;
		const frame = /** @type {HTMLElement | null} */ (button?.closest(".map")?.querySelector(".map-frame") ?? null);
		if (button instanceof HTMLElement && frame) step(frame, button.dataset["map"] ?? "");
	});
	// The map comes anew with its panel.
	const place = byId("story-side", HTMLElement) ?? byId("story-panel", HTMLElement)?.parentElement;
	if (place) new MutationObserver(apply).observe(place, { childList: true });
}
