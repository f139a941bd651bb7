"""What a person does with an installation and a browser, in the words of the pages."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from fixtures.extension_browser import Extension
from playwright.async_api import Page, expect

RESUME = {
    "basics": {
        "name": "Morgan Reyes",
        "email": "morgan.reyes@example.com",
        "phone": "+44 7700 900123",
        "location": {
            "address": "10 Example Street",
            "city": "London",
            "region": "England",
            "postalCode": "SW1A 1AA",
            "countryCode": "GB",
        },
        "profiles": [{"network": "LinkedIn", "url": "https://linkedin.com/in/morgan-reyes-example"}],
    },
    "work": [{"name": "Acme Ltd", "position": "Software Engineer", "startDate": "2021-03"}],
}


@dataclass
class Person:
    """`desk` is the tab in which the person looks at Jobtrail's own pages."""

    extension: Extension
    desk: Page
    address: str

    async def visit(self, path: str) -> Page:
        await self.desk.bring_to_front()
        await self.desk.goto(self.address + path)
        return self.desk

    async def make_account(self) -> None:
        page = await self.visit("/")
        await page.get_by_label("Your name").fill("Morgan")
        await page.get_by_label("E-mail address").fill("morgan.reyes@example.com")
        await page.get_by_label("Password").fill("a long enough pass")
        await page.get_by_role("button", name="Make the account").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("First steps")

    async def bring_profile(self, folder: Path) -> None:
        """Import a JSON Resume file and add a résumé to attach."""
        profile, resume = folder / "resume.json", folder / "morgan-reyes.pdf"
        profile.write_text(json.dumps(RESUME))
        resume.write_bytes(b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n")
        page = await self.visit("/profile/import")
        await page.get_by_label("JSON Resume file").set_input_files(profile)
        await page.get_by_role("button", name="Import").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Profile imported")
        page = await self.visit("/profile/documents")
        await page.get_by_label("File").set_input_files(resume)
        await page.get_by_role("button", name="Add it").click()
        await expect(page.get_by_role("main")).to_contain_text("morgan-reyes.pdf")

    async def pair_browser(self) -> None:
        page = await self.visit("/first-run/extension")
        await page.get_by_role("button", name=re.compile("Show a (new )?code")).click()
        code = re.search(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b", await page.get_by_role("main").inner_text())
        assert code
        options = await self.extension.open("options/options.html")
        await options.get_by_label("Address of your server").fill(self.address)
        await options.get_by_label("Pairing code").fill(code[0])
        await options.get_by_role("button", name="Pair").click()
        await expect(options.locator("#state")).to_contain_text("with Morgan")
        await options.close()

    async def open_form(self, address: str) -> tuple[Page, Page]:
        """The form, and the panel with the plan for it."""
        form = await self.extension.context.new_page()
        await form.goto(address)
        panel = await self.extension.open_panel_page(form)
        await expect(panel.locator("#status")).to_contain_text("Nothing is written yet", timeout=20_000)
        return form, panel

    async def fill(self, panel: Page) -> None:
        await panel.bring_to_front()
        await panel.get_by_role("button", name="Fill").click()
        await expect(panel.locator("#status")).to_contain_text("Done", timeout=30_000)
