// What the page can do beyond forms and links: keys, flip, zoom of both pages, decisions without a reload.
"use strict";

(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const one = (selector, from = document) => from.querySelector(selector);
  const narrow = window.matchMedia("(max-width: 640px)");

  // Messages

  function tell(text, canUndo) {
    const box = one(".messages");
    box.hidden = false;
    one("#message").textContent = text;
    one("#undo").hidden = !canUndo;
  }

  async function post(form, button) {
    const body = new URLSearchParams(new FormData(form));
    if (button && button.name) body.append(button.name, button.value);
    const answer = await fetch(form.getAttribute("action"), {
      method: "POST", body, credentials: "same-origin", headers: { Accept: "application/json" },
    });
    if (answer.status === 401) { location.reload(); return null; }
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.message);
    return told;
  }

  // Cards

  const cards = () => all(".card");
  let current = null;

  function choose(card, scroll = true) {
    if (current) current.classList.remove("current");
    current = card;
    if (!card) return;
    card.classList.add("current");
    card.focus({ preventScroll: true });
    if (scroll) card.scrollIntoView({ block: "start" });
  }

  function step(by) {
    const found = cards();
    if (!found.length) return;
    const place = found.indexOf(current);
    const next = place < 0 ? (by > 0 ? 0 : found.length - 1) : Math.min(found.length - 1, Math.max(0, place + by));
    choose(found[next]);
  }

  function dismiss(card, form) {
    const found = cards();
    const next = found[found.indexOf(card) + 1] || found[found.indexOf(card) - 1];
    const whole = form.classList.contains("whole");
    if (!whole) { location.reload(); return; }
    card.remove();
    if (next) choose(next, false); else location.reload();
  }

  function count(by) {
    const waiting = one("#waiting");
    if (waiting) waiting.textContent = Math.max(0, Number(waiting.textContent) - by);
  }

  async function decide(event) {
    event.preventDefault();
    const form = event.target, button = event.submitter, card = form.closest(".card");
    if (card.classList.contains("leaving")) return;
    card.classList.add("leaving");
    try {
      const told = await post(form, button);
      if (!told) return;
      tell(told.message, told.undo);
      if (button.value !== "later") count(Number(card.dataset.findings));
      dismiss(card, form);
    } catch (error) {
      card.classList.remove("leaving");
      tell(error.message, !one("#undo").hidden);
      plan(form).catch(() => {});
    }
  }

  // The plan: what "Same" will do, asked for when a card comes into view and after each choice

  function address(form, look) {
    const given = new URLSearchParams({ card: all('input[name="key"]', form).map((field) => field.value).join(" ") });
    for (const name of ["do", "keep"]) {
      const chosen = one(`input[name="${name}"]:checked, input[name="${name}"][type="hidden"]`, form);
      if (chosen) given.set(name, chosen.value);
    }
    if (look) given.set("look", "1");
    return `plan?${given}`;
  }

  async function plan(form, look = false) {
    const before = one(".plan", form), asked = address(form, look);
    form.dataset.asked = asked;
    const answer = await fetch(asked, { credentials: "same-origin", headers: { Accept: "text/html" } });
    if (!answer.ok || form.dataset.asked !== asked) return;
    const made = document.createElement("div");
    made.innerHTML = await answer.text();
    const box = one(".plan", made), focused = document.activeElement;
    if (!box) return;
    if (look && one(".tick input:checked", before)) return;
    before.replaceWith(box);
    if (focused && focused.name && before.contains(focused)) {
      const again = one(`input[name="${focused.name}"][value="${focused.value}"]`, box);
      if (again) again.focus();
    }
    one(".same small", form).textContent = box.dataset.summary;
    ready(form);
    if (!look && box.dataset.open && one(".places", form.closest(".card"))) plan(form, true).catch(() => {});
  }

  function ready(form) {
    const box = one(".plan", form), same = one(".same", form);
    const open = all(".tick:not(.all) input", box).some((tick) => !tick.checked) && !one(".tick.all input:checked", box);
    same.disabled = !box.dataset.ready || open;
    if (!form.classList.contains("whole")) return;
    for (const button of all(".choose", form.closest(".card"))) {
      const radio = one(`input[name="keep"][value="${button.dataset.keep}"]`, box);
      button.hidden = !radio;
      button.setAttribute("aria-pressed", radio ? String(radio.checked) : "false");
    }
  }

  document.addEventListener("change", (event) => {
    const field = event.target, form = field.closest(".decide");
    if (!form) return;
    if (field.name === "do" || field.name === "keep") plan(form).catch(() => {});
    if (field.name !== "looked") return;
    const ticks = all(".tick:not(.all) input", field.closest("li:not(.tick)").closest(".lines") || form);
    if (field.closest(".all")) for (const tick of ticks) tick.checked = field.checked;
    ready(form);
  });

  async function undo(event) {
    event.preventDefault();
    try {
      if (await post(event.target)) location.reload();
    } catch (error) {
      tell(error.message, false);
    }
  }

  function press(value) {
    const button = current && one(`.decide.whole button[value="${value}"]`, current);
    if (button && button.disabled) tell(one("small", button).textContent, !one("#undo").hidden);
    else if (button) button.click();
  }

  // Flip and zoom: both pages show the same crop

  function prepare(card) {
    const flip = one(".flip", card), zoom = one(".zoom", card);
    const images = all(".page img", card);
    const view = { scale: 1, x: 0, y: 0 };
    const show = () => {
      for (const image of images) {
        image.style.transform = `translate(${-view.x * 100}%, ${-view.y * 100}%) scale(${view.scale})`;
      }
      card.classList.toggle("zoomed", view.scale > 1);
    };
    const bound = () => {
      view.x = Math.min(view.scale - 1, Math.max(0, view.x));
      view.y = Math.min(view.scale - 1, Math.max(0, view.y));
    };
    if (flip) {
      flip.hidden = !narrow.matches;
      card.classList.toggle("flippable", narrow.matches);
      narrow.addEventListener("change", () => {
        flip.hidden = !narrow.matches;
        card.classList.toggle("flippable", narrow.matches);
      });
      flip.addEventListener("click", () => card.classList.toggle("flipped"));
    }
    if (zoom && images.length) {
      zoom.hidden = false;
      zoom.addEventListener("click", () => {
        view.scale = view.scale >= 3 ? 1 : view.scale + 1;
        bound();
        show();
      });
      for (const image of images) drag(image.closest(".page"), view, () => { bound(); show(); });
    }
  }

  function drag(page, view, moved) {
    let from = null;
    page.addEventListener("pointerdown", (event) => {
      if (view.scale === 1) return;
      from = { px: event.clientX, py: event.clientY, x: view.x, y: view.y };
      page.setPointerCapture(event.pointerId);
    });
    page.addEventListener("pointermove", (event) => {
      if (!from) return;
      view.x = from.x - (event.clientX - from.px) / page.clientWidth;
      view.y = from.y - (event.clientY - from.py) / page.clientHeight;
      moved();
    });
    for (const name of ["pointerup", "pointercancel"]) page.addEventListener(name, () => { from = null; });
  }

  // Places: crops of both pages, asked for when they are opened; a click shows both pages there, in step

  async function places(details) {
    if (!details.open || details.dataset.asked) return;
    details.dataset.asked = "yes";
    const answer = await fetch(details.dataset.places, { credentials: "same-origin", headers: { Accept: "text/html" } });
    const shown = one("p, ol", details);
    if (!answer.ok) { delete details.dataset.asked; shown.textContent = `${answer.status}`; return; }
    const made = document.createElement("div");
    made.innerHTML = await answer.text();
    shown.replaceWith(made);
  }

  function sheets(crop) {
    const both = all(".crop", crop.closest(".crops"));
    const dialog = document.createElement("dialog");
    dialog.className = "sheets";
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "×";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => dialog.close());
    const panes = both.map((from) => {
      const pane = document.createElement("div"), image = document.createElement("img");
      image.alt = one("img", from).alt;
      image.src = from.dataset.sheet;
      pane.tabIndex = 0;
      pane.append(image);
      pane.dataset.height = from.dataset.height;
      image.addEventListener("load", () => {
        pane.scrollTop = Number(from.dataset.height) * image.clientHeight - pane.clientHeight / 2;
        pane.dataset.at = pane.scrollTop;
      });
      return pane;
    });
    for (const pane of panes) pane.addEventListener("scroll", () => {
      const moved = pane.scrollTop - Number(pane.dataset.at || 0);
      pane.dataset.at = pane.scrollTop;
      for (const other of panes) {
        if (other === pane || Math.abs(moved) < 1) continue;
        other.dataset.at = Number(other.dataset.at || 0) + moved;
        other.scrollTop = Number(other.dataset.at);
      }
    });
    dialog.append(close, ...panes);
    dialog.addEventListener("close", () => { dialog.remove(); crop.focus(); });
    document.body.append(dialog);
    dialog.showModal();
  }

  document.addEventListener("toggle", (event) => {
    if (event.target.matches(".places")) places(event.target).catch(() => {});
    if (event.target.matches(".single") && event.target.open) {
      for (const form of all(".decide", event.target)) plan(form).catch(() => {});
    }
  }, true);
  document.addEventListener("click", (event) => {
    const crop = event.target.closest(".crop"), choose = event.target.closest(".choose");
    if (crop) sheets(crop);
    const radio = choose && one(`.decide.whole input[name="keep"][value="${choose.dataset.keep}"]`, choose.closest(".card"));
    if (radio) { radio.checked = true; radio.dispatchEvent(new Event("change", { bubbles: true })); }
  });

  // Sizes of files: asked for when a card comes into view

  function size(bytes) {
    const units = ["B", "kB", "MB", "GB"];
    let place = 0;
    while (bytes >= 1000 && place < units.length - 1) { bytes /= 1000; place += 1; }
    return `${bytes.toFixed(place && bytes < 10 ? 1 : 0)} ${units[place]}`;
  }

  async function sizes(card) {
    const fields = all("[data-size]", card);
    if (!fields.length) return;
    const ids = [...new Set(fields.map((field) => field.dataset.size))].join(",");
    const answer = await fetch(`sizes?ids=${ids}`, { credentials: "same-origin" });
    if (!answer.ok) return;
    const told = await answer.json();
    for (const field of fields) {
      if (told.sizes[field.dataset.size] !== undefined) field.textContent = size(told.sizes[field.dataset.size]);
    }
    const freed = one("#freed");
    if (freed && Number(freed.dataset.moving) && told.mean) {
      freed.textContent = `≈ ${size(told.mean * Number(freed.dataset.moving))}`;
    }
  }

  // Times in the zone of the person

  for (const field of all("time")) {
    const at = new Date(field.dateTime);
    if (isNaN(at)) continue;
    field.title = field.textContent;
    field.textContent = at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  }

  // Tuning

  function slide() {
    const slider = one("#threshold");
    if (!slider) return;
    const counts = slider.dataset.counts.split(",");
    const line = one("#threshold-line");
    slider.addEventListener("input", () => {
      const value = Number(slider.value), x = (value - 50) / 50 * Number(slider.dataset.width);
      line.setAttribute("x1", x);
      line.setAttribute("x2", x);
      one("#threshold-words").textContent = slider.dataset.words
        .replace("{sure}", `${value}%`).replace("{n}", counts[value]).replace("{now}", slider.dataset.now);
    });
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input:not([type=radio]):not([type=checkbox]), select, textarea")) return;
    const keys = {
      j: () => step(1), k: () => step(-1), y: () => press("same"), n: () => press("not-same"), l: () => press("later"),
      s: () => press("skip"),
      p: () => { const found = current && one(".places", current); if (found) found.open = !found.open; },
      u: () => { const form = one("#undo"); if (form && !form.hidden) form.requestSubmit(); },
    };
    const action = keys[event.key.toLowerCase()];
    if (action) { event.preventDefault(); action(); }
  });

  document.addEventListener("submit", (event) => {
    if (event.target.matches(".card .decide")) decide(event);
    if (event.target.matches("#undo")) undo(event);
  });

  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      seen.unobserve(entry.target);
      sizes(entry.target).catch(() => {});
      const form = one(".decide.whole", entry.target);
      if (form) plan(form).catch(() => {});
    }
  });
  for (const card of cards()) { prepare(card); seen.observe(card); }
  for (const field of all(".filters select")) field.addEventListener("change", () => field.form.requestSubmit());
  slide();
})();
