/** A wizard of four pages as Workday builds them: nothing is a form, every list is drawn at the end of the page. */

import { commit, controlled, dropdown, state, trap } from "./kit.js";

const page = document.getElementById("page");
const STEPS = ["My Information", "My Experience", "Application Questions", "Voluntary Disclosures"];
let at = 0;
let rows = 0;

const field = (id, label, inside, required = false) =>
  `<div data-automation-id="formField-${id.split("--").at(-1)}"><label for="${id}">${label}${required ? '<abbr aria-hidden="true">*</abbr>' : ""}</label><div>${inside}</div></div>`;
const text = (id, label, required) => field(id, label, `<input type="text" id="${id}" name="${id.split("--").at(-1)}" aria-required="${required ?? false}">`, required);
const list = (id, label, required) => field(id, label, `<button type="button" id="${id}" name="${id.split("--").at(-1)}" aria-haspopup="listbox" aria-expanded="false" aria-label="${label} Select One${required ? " Required" : ""}">Select One</button>`, required);
const picker = (id, label) => field(id, label,
  `<div data-automation-id="multiSelectContainer" data-uxi-widget-type="multiselect" tabindex="-1"><div data-automation-id="multiselectInputContainer"><ul role="listbox" data-automation-id="selectedItemList"></ul><input id="${id}" data-own data-uxi-widget-type="selectinput" placeholder="Search" autocomplete="off" tabindex="0"><span data-automation-id="promptIcon">≡</span></div></div>`);
const date = (id, label, parts) =>
  `<div data-automation-id="formField-${id.split("--").at(-1)}"><fieldset><legend><label>${label}</label></legend><div id="${id}" data-automation-id="dateInputWrapper" role="group" aria-labelledby="hidden-${id}">${parts.map((part) =>
    `<div id="${id}-dateSection${part}"><div aria-hidden="true" data-automation-id="dateSection${part}-display">${part === "Year" ? "YYYY" : "MM"}</div><input role="spinbutton" data-own aria-label="${part}" aria-valuemin="1" aria-valuemax="${part === "Year" ? 9999 : 12}" aria-valuetext="${part === "Year" ? "YYYY" : "MM"}" id="${id}-dateSection${part}-input" data-automation-id="dateSection${part}-input"${part === "Year" ? ' tabindex="-1"' : ""}></div>`).join("/")}</div></fieldset></div>`;

function alive(root) {
  for (const box of root.querySelectorAll("input[type=text], textarea")) if (!box.dataset.own) controlled(box, box.id);
  for (const group of root.querySelectorAll('[data-automation-id="dateInputWrapper"]')) liveDate(group);
  for (const box of root.querySelectorAll("[type=checkbox]")) box.addEventListener("change", () => commit(box.id, box.checked ? "Yes" : ""));
}

function liveDate(group) {
  const boxes = [...group.querySelectorAll("input")];
  for (const box of boxes) {
    box.addEventListener("input", () => { if (/^\d+$/.test(box.value)) box.setAttribute("aria-valuenow", String(Number(box.value))); });
    box.addEventListener("keydown", (event) => {
      const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (by) box.setAttribute("aria-valuenow", String(Number(box.getAttribute("aria-valuenow") ?? 0) + by));
    });
    box.addEventListener("focusout", () => {
      const has = (part) => group.querySelector(`[id$="dateSection${part}-input"]`)?.getAttribute("aria-valuenow");
      const [month, year] = [has("Month"), has("Year")];
      if (boxes.length === 1 ? year : month && year) commit(group.id, month ? `${year}-${month.padStart(2, "0")}` : year);
    });
  }
}

/** A search box over a tree; what is picked stands beside it as a tag. */
function livePicker(box, name, tree, single = true) {
  const holder = box.closest('[data-automation-id="multiSelectContainer"]');
  const tags = holder.querySelector("ul");
  let popup = null;
  const close = () => { popup?.remove(); popup = null; };
  const drawTags = (labels) => {
    tags.innerHTML = labels.map((one) => `<li><div data-automation-id="selectedItem" title="${one}"><p data-automation-id="promptOption">${one}</p><div data-automation-id="DELETE_charm" role="button" aria-label="delete">x</div></div></li>`).join("");
    for (const [n, button] of [...tags.querySelectorAll('[role="button"]')].entries()) {
      button.onclick = () => { window.__touched.push("removed"); pick(labels.filter((_, at) => at !== n)); };
    }
  };
  const pick = (labels) => { commit(name, labels.join("\n")); drawTags(labels); };
  const draw = (entries, back) => {
    popup ??= document.body.appendChild(Object.assign(document.createElement("div"), { role: "dialog" }));
    popup.setAttribute("data-automation-widget", "wd-popup");
    popup.innerHTML = `${back ? '<button type="button" data-automation-id="promptBack" aria-label="Back">←</button>' : ""}<div role="listbox" data-automation-id="activeListContainer">${entries.map((one) =>
      `<div role="option" data-automation-id="${one.below ? "menuItem" : "promptLeafNode"}" ${one.below ? 'aria-haspopup="true"' : ""} aria-label="${one.label}">${one.label}</div>`).join("") || "<p>No Items.</p>"}</div>`;
    popup.onmousedown = (event) => event.preventDefault();
    popup.onclick = (event) => {
      if (event.target.closest('[data-automation-id="promptBack"]')) return draw(tree);
      const entry = entries.find((one) => one.label === event.target.closest('[role="option"]')?.getAttribute("aria-label"));
      if (entry?.below) setTimeout(() => draw(entry.below, true), 80);
      else if (entry) { close(); pick(single ? [entry.label] : [...(state[name]?.split("\n") ?? []), entry.label]); }
    };
  };
  box.addEventListener("click", () => draw(tree.slice(0, 3)));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
    if (event.key !== "Enter" || !box.value) return;
    const leaves = tree.flatMap((one) => one.below ?? [one]).filter((one) => one.label.toLowerCase().includes(box.value.toLowerCase()));
    setTimeout(() => draw(leaves), 150);
  });
  box.addEventListener("blur", () => setTimeout(close, 20));
  drawTags(state[name]?.split("\n") ?? []);
}

const leaf = (...labels) => labels.map((label) => ({ label }));

const PAGES = [
  () => {
    page.innerHTML = [
      picker("source--source", "How Did You Hear About Us?"),
      `<fieldset><legend>Have you previously been employed by Workday Example?</legend><label><input type="radio" name="candidateIsPreviousWorker" value="true">Yes</label><label><input type="radio" name="candidateIsPreviousWorker" value="false">No</label></fieldset>`,
      list("address--country", "Country", true),
      `<div role="group" aria-labelledby="legal"><h3 id="legal">Legal Name</h3>${text("legalName--firstName", "Given Name(s)", true)}${text("legalName--lastName", "Family Name", true)}</div>`,
      `<div role="group" aria-labelledby="addr"><h3 id="addr">Address</h3>${text("address--addressLine1", "Address Line 1")}${text("address--city", "City or Town")}${text("address--postalCode", "Postal Code")}</div>`,
      `<div role="group" aria-labelledby="ph"><h3 id="ph">Phone</h3>${list("phoneNumber--phoneType", "Phone Device Type", true)}${picker("phoneNumber--countryPhoneCode", "Country Phone Code")}${text("phoneNumber--phoneNumber", "Phone Number", true)}</div>`,
    ].join("");
    dropdown(page.querySelector("[id='address--country']"), "address--country", ["United States of America", "United Kingdom", "United Arab Emirates"]);
    dropdown(page.querySelector("[id='phoneNumber--phoneType']"), "phoneNumber--phoneType", ["Home", "Mobile", "Work"]);
    livePicker(page.querySelector("[id='source--source']"), "source--source", [{ label: "Job Board", below: leaf("LinkedIn", "Indeed") }, { label: "Referral", below: leaf("Employee") }]);
    livePicker(page.querySelector("[id='phoneNumber--countryPhoneCode']"), "phoneNumber--countryPhoneCode", leaf("Afghanistan (+93)", "Albania (+355)", "Algeria (+213)", "United Arab Emirates (+971)", "United Kingdom (+44)", "United States of America (+1)"));
    for (const radio of page.querySelectorAll("[type=radio]")) radio.onchange = () => commit(radio.name, radio.value);
  },
  () => {
    const section = (title) => `<div role="group" aria-labelledby="${title}-section"><h4 id="${title}-section">${title}</h4><div class="rows"></div><button data-automation-id="add-button">Add</button></div>`;
    page.innerHTML = `${section("Work Experience")}${section("Education")}${section("Certifications")}
      <div role="group" aria-labelledby="sk"><h4 id="sk">Skills</h4>${picker("skills--skills", "Type to Add Skills")}</div>
      <div role="group" aria-labelledby="re"><h4 id="re">Resume/CV</h4><div data-automation-id="attachments-FileUpload"><div data-automation-id="file-upload-drop-zone">Drop file here <button type="button" data-automation-id="select-files">Select files</button><input type="file" id="resume" data-automation-id="file-upload-input-ref" style="display:none"></div></div></div>
      <div role="group" aria-labelledby="so"><h4 id="so">Social Network URLs</h4>${text("social--linkedIn", "LinkedIn")}</div>`;
    const [work, school] = page.querySelectorAll("[data-automation-id='add-button']");
    work.onclick = () => addWork(work);
    school.onclick = () => addSchool(school);
    page.querySelectorAll("[data-automation-id='add-button']")[2].onclick = () => window.__touched.push("Certifications");
    livePicker(page.querySelector("[id='skills--skills']"), "skills", leaf("Python", "Go", "SQL"), false);
    const file = page.querySelector("#resume");
    file.onchange = () => { commit("resume", file.files[0]?.name); file.closest("[role=group]").append(Object.assign(document.createElement("div"), { textContent: file.files[0]?.name })); };
  },
  () => {
    page.innerHTML = list("q--authorised", "Are you legally authorized to work in the United Kingdom?", true) + list("q--sponsorship", "Will you now or in the future require sponsorship to work in the United Kingdom?", true);
    for (const id of ["q--authorised", "q--sponsorship"]) dropdown(page.querySelector(`[id='${id}']`), id, ["No", "Yes", "Not applicable"]);
  },
  () => {
    page.innerHTML = `${list("veteran", "Veteran Status")}${field("terms", "I consent to the terms and conditions", '<input type="checkbox" id="terms" name="acceptTermsAndAgreements">')}`;
    dropdown(page.querySelector("#veteran"), "veteran", ["I am not a veteran", "I am a protected veteran"]);
    trap(page.querySelectorAll("#terms"));
  },
];

function addWork(button) {
  const id = `work-${rows++}`;
  const row = document.createElement("div");
  row.setAttribute("role", "group");
  row.setAttribute("aria-labelledby", `${id}-panel`);
  row.innerHTML = `<h5 id="${id}-panel">Work Experience ${rows}</h5>${text(`${id}--jobTitle`, "Job Title", true)}${text(`${id}--companyName`, "Company", true)}${text(`${id}--location`, "Location")}${field(`${id}--currentlyWorkHere`, "I currently work here", `<input type="checkbox" id="${id}--currentlyWorkHere" name="currentlyWorkHere">`)}${date(`${id}--startDate`, "From", ["Month", "Year"])}<div class="end">${date(`${id}--endDate`, "To", ["Month", "Year"])}</div>${field(`${id}--roleDescription`, "Role Description", `<textarea id="${id}--roleDescription"></textarea>`)}`;
  button.previousElementSibling.append(row);
  button.textContent = "Add Another";
  alive(row);
  const current = row.querySelector("[type=checkbox]");
  current.addEventListener("change", () => { row.querySelector(".end").hidden = current.checked; });
}

let schools = 0;
function addSchool(button) {
  const id = `education-${schools++}`;
  const row = document.createElement("div");
  row.setAttribute("role", "group");
  row.setAttribute("aria-labelledby", `${id}-panel`);
  row.innerHTML = `<h5 id="${id}-panel">Education ${schools}</h5>${picker(`${id}--school`, "School or University")}${list(`${id}--degree`, "Degree", true)}${date(`${id}--firstYearAttended`, "From", ["Year"])}${date(`${id}--lastYearAttended`, "To (Actual or Expected)", ["Year"])}`;
  button.previousElementSibling.append(row);
  button.textContent = "Add Another";
  alive(row);
  livePicker(row.querySelector(`[id='${id}--school']`), `${id}--school`, leaf("Example College", "Other", "School of Arts", "University of Example", "University of Examples Abroad"));
  dropdown(row.querySelector(`[id='${id}--degree']`), `${id}--degree`, ["High School Diploma", "Associate's Degree", "Bachelor's Degree", "Master's Degree"]);
}

function show() {
  document.getElementById("title").textContent = STEPS[at];
  document.getElementById("bar").innerHTML = STEPS.map((step, n) => `<li data-automation-id="progressBar${n === at ? "Active" : "Inactive"}Step">${step}</li>`).join("");
  PAGES[at]();
  alive(page);
}

document.querySelector("[data-automation-id='pageFooterNextButton']").onclick = () => {
  at += 1;
  page.innerHTML = "";
  if (at < STEPS.length) setTimeout(show, 150);
  else if (at === STEPS.length) setTimeout(review, 150);
  else thanks();
};

/** The last step: everything once more, and a button that sends. */
function review() {
  document.getElementById("title").textContent = "Review";
  page.innerHTML = Object.values(state).map((value) => `<p>${value}</p>`).join("");
  document.querySelector("[data-automation-id='pageFooterNextButton']").textContent = "Submit";
}

function thanks() {
  window.__submits = (window.__submits ?? 0) + 1;
  document.body.innerHTML = "<h1>Congratulations!</h1><p>Your application has been submitted.</p>";
}

trap(document.querySelectorAll("#beecatcher"));
show();
