// The page comes alive: each part does nothing where the view has not what it is for.

import * as chat from "./chat.js";
import * as composer from "./composer.js";
import * as forms from "./forms.js";
import * as map from "./map.js";
import * as notify from "./notify.js";
import * as passkey from "./passkey.js";
import * as signin from "./signin.js";

for (const part of [signin, passkey, forms, composer, chat, map]) part.start();
notify.offer();
document.documentElement.dataset["live"] = "true"; // styles show what needs scripts, and tests wait for it
performance.mark("live");
