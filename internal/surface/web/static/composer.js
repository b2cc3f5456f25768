// Where people write: Enter sends, files can be dropped, pasted and photographed, and a slash offers commands.

import { ask, byId, chat, complain, make, refreshAll, say, showEnd } from "./dom.js";
import { showAnswer } from "./forms.js";

const form = byId("composer", HTMLFormElement);
const field = form?.querySelector("textarea") ?? null;
const files = /** @type {HTMLInputElement | null} */ (form?.querySelector("input[type=file]") ?? null);

/** What is sent before is sent first. */
let sending = Promise.resolve();

/** The only question that waits, to which a typed yes or no is the answer, or "". */
function onlyQuestion() {
	const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#transcript form.decide input[name=id]"));
	const [first = "", ...more] = new Set([...fields].map((f) => f.value));
	return more.length ? "" : first;
}

/**
 * Sends what is written. The field is free for the next words at once; what hob could not be given comes back into it, with its id:
 * sent again, it is no second input.
 */
function submit() {
	const id = form?.elements.namedItem("id");
	if (!form || !field || !(id instanceof HTMLInputElement)) return;
	if (!field.value.trim() && !files?.files?.length) return;
	const sent = { text: field.value, id: id.value, files: [...(files?.files ?? [])], body: new FormData(form) };
	sent.body.set("asks", onlyQuestion());
	field.value = "";
	id.value = crypto.randomUUID();
	setFiles([]);
	fit();
	complain(null);
	showEnd(); // what comes of it stands there
	sending = sending.then(async () => {
		try {
			const answer = await ask(form.action, "answer", { method: "POST", body: sent.body }); // of a command; what is said comes by the stream
			if (answer.hasChildNodes()) {
				showAnswer(answer, form);
				refreshAll().catch(complain);
			}
		} catch (e) {
			complain(e);
			if (!field.value) id.value = sent.id;
			field.value = [sent.text, field.value].filter((text) => text).join("\n");
			addFiles(sent.files);
			fit();
		}
	});
}

/** Makes the field as high as what is written in it, up to a bound of the style. */
function fit() {
	if (!field) return;
	field.style.height = "auto";
	field.style.height = `${field.scrollHeight + 2}px`;
}

/** @param {Iterable<File>} all */
function setFiles(all) {
	if (!files) return;
	const list = new DataTransfer();
	for (const f of all) list.items.add(f);
	files.files = list.files;
	showFiles();
}

/** Adds files to those that are chosen. @param {Iterable<File>} more */
const addFiles = (more) => setFiles([...(files?.files ?? []), ...more]);

/** Lists the files that go with the words, each with a button that leaves it out. */
function showFiles() {
	const list = byId("files", HTMLElement);
	if (!list || !files) return;
	const all = [...(files.files ?? [])];
	list.replaceChildren(...all.map((f) => {
		const away = make("button", { type: "button", "aria-label": `${list.dataset["remove"] ?? "Remove"} ${f.name}` }, "×");
		away.addEventListener("click", () => {
			setFiles(all.filter((other) => other !== f));
			field?.focus();
		});
		return make("li", {}, make("bdi", {}, f.name), away);
	}));
	list.hidden = all.length === 0;
}

/** Offers the commands that go on what is written: a list at the field, which the arrow keys choose from. */
function complete() {
	const list = byId("completions", HTMLUListElement);
	if (!field || !list) return;
	let at = -1, asked = 0;
	for (const [key, value] of Object.entries({ "aria-autocomplete": "list", "aria-controls": list.id })) {
		field.setAttribute(key, value);
	}

	const chooseNone = () => {
		at = -1;
		field.removeAttribute("aria-activedescendant");
	};
	const close = () => {
		list.hidden = true;
		chooseNone();
	};
	/** @param {number} to */
	const choose = (to) => {
		const all = [...list.children];
		at = (to + all.length) % all.length;
		all.forEach((o, i) => o.setAttribute("aria-selected", String(i === at)));
		field.setAttribute("aria-activedescendant", all[at]?.id ?? "");
		all[at]?.scrollIntoView({ block: "nearest" });
	};
	/** @param {string} line */
	const accept = (line) => {
		field.value = line;
		field.setSelectionRange(line.length, line.length);
		close();
		field.focus();
		fit();
	};
	field.addEventListener("input", async () => {
		const line = field.value, number = ++asked;
		if (!/^\/[^\n]*$/.test(line)) return close();
		chooseNone();
		for (const option of [...list.children]) { // those that still fit can be chosen until hob answers
			if (!option.textContent?.startsWith(line)) option.remove();
		}
		if (!list.children.length) close();
		const answer = await fetch(`/complete?${new URLSearchParams({ chat, line })}`).catch(() => null);
		if (!answer?.ok) return;
		const lines = /** @type {string[]} */ (await answer.json());
		if (number !== asked || field.value !== line) return; // more was written meanwhile
		if (!lines.length || lines.length === 1 && lines[0] === line) return close();
		const picked = lines.indexOf(list.children[at]?.textContent ?? "");
		list.replaceChildren(...lines.map((l, i) => {
			const option = make("li", { role: "option", id: `completion-${i}`, "aria-selected": "false" }, l);
			option.addEventListener("pointerdown", (e) => { e.preventDefault(); accept(l); });
			return option;
		}));
		list.hidden = false;
		if (picked < 0) chooseNone();
		else choose(picked);
		say(`${lines.length} ${list.ariaLabel}`);
	});
	field.addEventListener("blur", close);
	field.addEventListener("keydown", (e) => {
		if (list.hidden || e.isComposing) return;
		const picked = list.children[at]?.textContent;
		if (e.key === "ArrowDown") choose(at + 1);
		else if (e.key === "ArrowUp") choose(at < 0 ? -1 : at - 1);
		else if (e.key === "Escape") close();
		else if (e.key === "Tab" && !e.shiftKey) accept(picked ?? list.children[0]?.textContent ?? field.value);
		else if (e.key === "Enter" && picked) accept(picked);
		else return;
		e.preventDefault();
		e.stopImmediatePropagation();
	});
}

/** Takes over the form. */
export function start() {
	if (!form || !field) return;
	form.addEventListener("submit", (e) => {
		e.preventDefault();
		submit();
	});
	complete(); // before what follows, for it keeps keys to itself while its list is open
	field.addEventListener("input", fit);
	field.addEventListener("keydown", (e) => {
		// A keyboard on a screen has a button to send, and needs the key for lines.
		if (e.key !== "Enter" || e.shiftKey || e.isComposing || matchMedia("(pointer: coarse)").matches) return;
		e.preventDefault();
		submit();
	});
	files?.addEventListener("change", showFiles);
	field.addEventListener("paste", (e) => {
		if (!e.clipboardData?.files.length) return;
		e.preventDefault();
		addFiles(e.clipboardData.files);
	});
	for (const type of ["dragenter", "dragover"]) {
		document.addEventListener(type, (e) => {
			if (!(e instanceof DragEvent) || !e.dataTransfer?.types.includes("Files")) return;
			e.preventDefault();
			document.body.classList.add("dropping");
		});
	}
	document.addEventListener("dragleave", (e) => {
		if (!e.relatedTarget) document.body.classList.remove("dropping");
	});
	document.addEventListener("drop", (e) => {
		document.body.classList.remove("dropping");
		if (!e.dataTransfer?.files.length) return;
		e.preventDefault();
		addFiles(e.dataTransfer.files);
	});
	const camera = byId("camera", HTMLInputElement);
	camera?.addEventListener("change", () => {
		addFiles(camera.files ?? []);
		camera.value = "";
	});
	fit();
}
