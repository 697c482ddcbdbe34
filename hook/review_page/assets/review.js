// What the page can do beyond forms and links: keys, flip, both documents in step, decisions without a reload.
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

  // What was said stays after the page is loaded again: a person whose last card is gone reads why

  function reload() {
    if (!one(".messages").hidden) sessionStorage.setItem("said", one("#message").textContent);
    location.reload();
  }

  function repeat() {
    const said = sessionStorage.getItem("said");
    sessionStorage.removeItem("said");
    const undo = one("#undo");  // not there if the person has to log in
    if (said && undo) tell(said, !undo.hidden);
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
    if (!whole) { reload(); return; }
    card.remove();
    pick();
    if (next) choose(next, false); else reload();
  }

  function count(by) {
    const waiting = one("#waiting");
    if (waiting) waiting.textContent = Math.max(0, Number(waiting.textContent) - by);
  }

  async function decide(event) {
    event.preventDefault();
    await settle(event.target, event.submitter);
  }

  // True if it was decided
  async function settle(form, button) {
    const card = form.closest(".card");
    if (card.classList.contains("leaving")) return false;
    card.classList.add("leaving");
    try {
      const told = await post(form, button);
      if (!told) return false;
      tell(told.message, told.undo);
      count(Number(card.dataset.findings));
      dismiss(card, form);
      return true;
    } catch (error) {
      card.classList.remove("leaving");
      tell(error.message, !one("#undo").hidden);
      plan(form).catch(() => {});
      return false;
    }
  }

  // Several cards at once, one after the other: what is in the way of one does not hold up the others

  const picked = () => cards().filter((card) => one(".pick input:checked", card));

  function pick() {
    const bar = one(".several");
    if (!bar) return;
    bar.hidden = !picked().length;
    one(".count", bar).textContent = picked().length;
  }

  async function several(bar, action) {
    let done = 0;
    for (const card of picked()) {
      if (!action) { one(".pick input", card).checked = false; continue; }
      const button = one(`:scope > .buttons button[value="${action}"]`, card);
      if (!button.disabled && await settle(one(".decide.whole", card), button)) done += 1;
    }
    const left = picked().length;
    if (left) tell(bar.dataset.done.replace("{done}", done).replace("{left}", left), !one("#undo").hidden);
    pick();
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
    if (answer.status === 204) { expire(form.closest(".card"), form); return; }
    const made = document.createElement("div");
    made.innerHTML = await answer.text();
    const box = one(".plan", made), focused = document.activeElement;
    if (look && one(".tick input:checked", before)) return;
    before.replaceWith(box);
    if (focused && focused.name && before.contains(focused)) {
      const again = one(`input[name="${focused.name}"][value="${focused.value}"]`, box);
      if (again) again.focus();
    }
    one("small", same(form)).textContent = box.dataset.summary;
    ready(form);
    if (!look && box.dataset.open && one(".places", form.closest(".card"))) plan(form, true).catch(() => {});
  }

  // Decided in the meantime, by somebody else or in another window
  function expire(card, form) {
    if (!card.isConnected || card.classList.contains("leaving")) return;
    if (card === current || !form.classList.contains("whole")) dismiss(card, form); else card.remove();
  }

  const same = (form) => one(form.classList.contains("whole") ? ":scope > .buttons .same" : ".same",
    form.classList.contains("whole") ? form.closest(".card") : form);

  function ready(form) {
    const box = one(".plan", form);
    const open = all(".tick:not(.all) input", box).some((tick) => !tick.checked) && !one(".tick.all input:checked", box);
    same(form).disabled = !box.dataset.ready || open;
    if (!form.classList.contains("whole")) return;
    for (const button of all(".choose", form.closest(".card"))) {
      const radio = one(`input[name="keep"][value="${button.dataset.keep}"]`, box);
      button.hidden = !radio;
      button.setAttribute("aria-pressed", radio ? String(radio.checked) : "false");
    }
  }

  document.addEventListener("change", (event) => {
    const field = event.target, form = field.closest(".decide");
    if (field.closest(".pick")) pick();
    if (!form) return;
    if (field.name === "do" || field.name === "keep") {
      same(form).disabled = true;  // until the button says what this choice does
      plan(form).catch(() => {});
    }
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
    const button = current && one(`:scope > .buttons button[value="${value}"]`, current);
    if (button && button.disabled) tell(one("small", button).textContent, !one("#undo").hidden);
    else if (button) button.click();
  }

  // On a phone, one document of a pair is shown at a time

  function prepare(card) {
    const flip = one(".flip", card);
    if (!flip) return;
    const fit = () => { flip.hidden = !narrow.matches; card.classList.toggle("flippable", narrow.matches); };
    fit();
    narrow.addEventListener("change", fit);
    flip.addEventListener("click", () => card.classList.toggle("flipped"));
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

  function sheets(sides, opener) {
    const dialog = one("#sheets"), width = Math.max(window.innerWidth / (narrow.matches ? 1 : 2.1), 640);
    let zoom = 1;
    for (const old of all(".pane", dialog)) old.remove();
    const panes = sides.map((side) => {
      const pane = document.createElement("div"), image = document.createElement("img");
      pane.className = "pane";
      pane.tabIndex = 0;
      pane.setAttribute("role", "region");
      pane.setAttribute("aria-label", `#${side.document}`);
      pane.append(image);
      return Object.assign(side, { pane, image });
    });
    const show = (side) => {
      side.image.alt = `#${side.document}, ${side.page + 1}`;
      side.image.src = `sheet/${side.document}?page=${side.page}`;
      side.image.onload = () => {
        side.image.style.width = `${width * zoom}px`;
        side.pane.scrollTop = side.height * side.image.clientHeight - side.pane.clientHeight / 2;
        side.at = side.pane.scrollTop;
      };
      one(".where", dialog).textContent = panes
        .map((one) => `#${one.document}: ${one.page + 1}${one.pages ? ` / ${one.pages}` : ""}`).join("   ");
    };
    const turn = (by) => {
      for (const side of panes) {
        const page = side.page + by;
        if (page < 0 || (side.pages && page >= side.pages)) continue;
        Object.assign(side, { page, height: 0 });
        show(side);
      }
    };
    const scale = (by) => {
      const factor = Math.min(4, Math.max(.5, zoom * by)) / zoom;
      zoom *= factor;
      for (const { pane, image } of panes) {
        const x = pane.scrollLeft + pane.clientWidth / 2, y = pane.scrollTop + pane.clientHeight / 2;
        image.style.width = `${width * zoom}px`;
        pane.scrollLeft = x * factor - pane.clientWidth / 2;
        pane.scrollTop = y * factor - pane.clientHeight / 2;
      }
      for (const side of panes) Object.assign(side, { at: side.pane.scrollTop, left: side.pane.scrollLeft });
    };
    for (const side of panes) side.pane.addEventListener("scroll", () => {
      const down = side.pane.scrollTop - (side.at || 0), right = side.pane.scrollLeft - (side.left || 0);
      Object.assign(side, { at: side.pane.scrollTop, left: side.pane.scrollLeft });
      for (const other of panes) {
        if (other === side || Math.abs(down) + Math.abs(right) < 1) continue;
        other.pane.scrollTop += down;
        other.pane.scrollLeft += right;
        Object.assign(other, { at: other.pane.scrollTop, left: other.pane.scrollLeft });
      }
    });
    const does = {
      back: () => turn(-1), on: () => turn(1), smaller: () => scale(.8), larger: () => scale(1.25),
      turn: () => dialog.classList.toggle("turned"), close: () => dialog.close(),
    };
    for (const [name, act] of Object.entries(does)) one(`.${name}`, dialog).onclick = act;
    dialog.onkeydown = (event) => {
      const act = { "+": does.larger, "-": does.smaller, f: does.turn, n: does.on, b: does.back }[event.key];
      if (act) { event.preventDefault(); act(); }
      event.stopPropagation();
    };
    dialog.onclose = () => { if (opener) opener.focus(); };
    dialog.append(...panes.map((side) => side.pane));
    dialog.showModal();
    for (const side of panes) show(side);
  }

  function ofCrop(crop) {
    const numbers = Object.fromEntries((one(".whole-pages", crop.closest(".card"))?.dataset.pages || "").split(" ")
      .map((side) => side.split(":").map(Number)));
    return all(".crop", crop.closest(".crops")).map(({ dataset }) => ({
      document: Number(dataset.document), page: Number(dataset.page), height: Number(dataset.height),
      pages: numbers[dataset.document],
    }));
  }

  const ofCard = (button) => button.dataset.pages.split(" ").map((side) => {
    const [number, pages] = side.split(":").map(Number);
    return { document: number, page: 0, height: 0, pages };
  });

  document.addEventListener("toggle", (event) => {
    if (event.target.matches(".places")) places(event.target).catch(() => {});
    if (event.target.matches(".single") && event.target.open) {
      for (const form of all(".decide", event.target)) plan(form).catch(() => {});
    }
  }, true);
  document.addEventListener("click", (event) => {
    const crop = event.target.closest(".crop"), choose = event.target.closest(".choose");
    if (crop) sheets(ofCrop(crop), crop);
    const whole = event.target.closest(".whole-pages"), group = event.target.closest(".several button");
    if (whole) sheets(ofCard(whole), whole);
    if (group) several(group.closest(".several"), group.value).catch(() => {});
    const radio = choose && one(`.decide.whole input[name="keep"][value="${choose.dataset.keep}"]`, choose.closest(".card"));
    if (radio) { radio.checked = true; radio.dispatchEvent(new Event("change", { bubbles: true })); }
  });

  // Times in the zone of the person

  for (const field of all("time")) {
    const at = new Date(field.dateTime);
    if (isNaN(at)) continue;
    field.title = field.textContent;
    field.textContent = at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input:not([type=radio]):not([type=checkbox]), select, textarea")) return;
    const keys = {
      j: () => step(1), k: () => step(-1), y: () => press("same"), n: () => press("not-same"), s: () => press("skip"),
      x: () => { const box = current && one(".pick input", current); if (box) box.click(); },
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
      const form = one(".decide.whole", entry.target);
      if (form) plan(form).catch(() => {});
    }
  });
  for (const card of cards()) { prepare(card); seen.observe(card); }
  for (const label of all(".pick")) label.hidden = false;
  for (const field of all(".filters select")) field.addEventListener("change", () => field.form.requestSubmit());
  repeat();
})();
