// Reads [language, phrase] pairs as JSON from its input with chrono-node, and writes the local times as JSON.
const chrono = require("chrono-node");
const now = new Date(2026, 5, 10, 9, 0, 0);
const two = (n) => String(n).padStart(2, "0");
const local = (d) =>
  `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}T${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
const readers = { en: chrono.en.GB, de: chrono.de, ru: chrono.ru, zh: chrono.zh.hans };

let text = "";
process.stdin.on("data", (part) => (text += part));
process.stdin.on("end", () => {
  const all = JSON.parse(text).map(([lang, phrase]) => {
    const found = readers[lang].parse(phrase, now, { forwardDate: true });
    return found.length ? local(found[0].start.date()) : "-";
  });
  console.log(JSON.stringify(all));
});
