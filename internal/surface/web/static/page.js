// @ts-check
// The views work without scripts. This module makes them live.

// A code in the fragment of a link goes into the form, and out of the address.
const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form#code"));
const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#code-field"));
if (form && field && location.hash.length > 1) {
  field.value = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
  form.submit();
}
