/** A new Greenhouse board: React and react-select, drawn by the server first and taken over late. */

import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import Select from "react-select";
import AsyncSelect from "react-select/async";

const PLACES = ["London, England, United Kingdom", "London, Ontario, Canada", "Londonderry, Northern Ireland, United Kingdom"];
const DIALS = ["Afghanistan +93", "United Arab Emirates +971", "United Kingdom +44", "United States +1"];
const COUNTRIES = ["United Arab Emirates", "United Kingdom", "United States", "United States Minor Outlying Islands"];
const SCHOOLS = ["Example College", "University of Example", "University of Examples Abroad", "University of Exeter"];
const as = (labels) => labels.map((label) => ({ value: label, label }));
const found = (all, wait) => (typed) => new Promise((done) => setTimeout(() => done(as(all.filter((one) => typed && one.toLowerCase().includes(typed.toLowerCase())))), wait));

window.__touched = [];
window.__submits = 0;

function App() {
  const [held, setHeld] = useState({});
  const put = (name, value) => setHeld((was) => ({ ...was, [name]: value }));
  useEffect(() => { window.__state = Object.fromEntries(Object.entries(held).filter(([, value]) => value)); });
  const text = (id, label, more = {}) => (
    <div className="field-wrapper"><div className="input-wrapper"><label id={`${id}-label`} htmlFor={id} className="label">{label}{more.required && <span aria-hidden="true">*</span>}</label>
      <input id={id} className="input" type={more.type ?? "text"} aria-label={label} aria-required={!!more.required} maxLength={255} value={held[id] ?? ""} onChange={(event) => put(id, event.target.value)} /></div></div>
  );
  const list = (id, label, options, more = {}) => {
    const Kind = more.search ? AsyncSelect : Select;
    const own = more.search ? { loadOptions: found(options, 300), cacheOptions: true } : { options: as(options) };
    const changed = (picked) => put(id, Array.isArray(picked) ? picked.map((one) => one.label).join("\n") : picked?.label);
    return (
      <div className="field-wrapper"><div className="select"><div className="select__container"><label id={`${id}-label`} htmlFor={id} className="label select__label">{label}{more.required && <span aria-hidden="true">*</span>}</label>
        <Kind inputId={id} aria-labelledby={`${id}-label`} classNamePrefix="select" className="select-shell" isMulti={more.several} isClearable onChange={changed} {...own} /></div></div></div>
    );
  };
  return (
    <form id="application-form" className="application--form" onSubmit={(event) => { event.preventDefault(); window.__submits += 1; }}>
      {text("first_name", "First Name", { required: true })}{text("last_name", "Last Name", { required: true })}{text("email", "Email", { required: true })}
      <fieldset className="phone-input"><legend className="visually-hidden">Phone</legend>{list("country", "Country", DIALS)}{text("phone", "Phone", { type: "tel" })}</fieldset>
      {list("candidate-location", "Location (City)", PLACES, { search: true, required: true })}
      {["resume", "cover_letter"].map((id) => (
        <div className="field-wrapper" key={id}><div role="group" aria-labelledby={`upload-label-${id}`}><div id={`upload-label-${id}`} className="label">{id === "resume" ? "Resume/CV" : "Cover Letter"}</div>
          {held[id] ? <p>{held[id]}<button type="button">Remove</button></p> : <div><button type="button">Attach</button><label className="visually-hidden" htmlFor={id}>Attach</label><input id={id} className="visually-hidden" type="file" accept=".pdf,.doc,.txt" onChange={(event) => put(id, event.target.files[0]?.name)} /></div>}</div></div>
      ))}
      <div className="education--container"><h2>Education</h2><div className="education--form">{list("school--0", "School", SCHOOLS, { search: true })}{list("degree--0", "Degree", ["High School", "Associate's Degree", "Bachelor's Degree", "Master's Degree"])}{list("discipline--0", "Discipline", ["Chemistry", "Computer Science", "Computer Science and Law"])}</div><button type="button" className="add-another-button">Add another</button></div>
      {text("question_101", "LinkedIn Profile")}
      {list("question_102", "Are you legally authorized to work in the United Kingdom?", ["Yes", "No"], { required: true })}
      {list("question_103", "Do you require sponsorship to work in the United Kingdom?", ["Yes", "No"], { required: true })}
      {list("question_104[]", "Which of these do you know?", ["Python", "Go", "Rust"], { several: true })}
      {list("question_106", "What is your current country of residence?", COUNTRIES)}
      <div className="field-wrapper"><label htmlFor="question_105">Why New Board?</label><textarea id="question_105" value={held.question_105 ?? ""} onChange={(event) => put("question_105", event.target.value)} /></div>
      {held.question_102 === "Yes" && text("question_107", "Which visa category do you hold?")}
      <h2>Voluntary Self-Identification</h2>{list("gender", "Gender", ["Male", "Female", "Decline To Self Identify"])}{list("veteran_status", "Veteran Status", ["I am not a protected veteran", "I don't wish to answer"])}
      <label><input type="checkbox" name="data_compliance" onChange={() => window.__touched.push("data_compliance")} /> By checking this box, I agree to the processing of my data</label>
      <button type="submit">Submit application</button>
    </form>
  );
}

const start = () => createRoot(document.getElementById("root")).render(<App />);
if (new URLSearchParams(location.search).has("late")) setTimeout(start, 700);
else start();
