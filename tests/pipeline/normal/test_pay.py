"""Pay out of texts: read where the words can mean nothing else, refused where they can."""

import pytest

from pipeline.normal.pay import pay_of
from pipeline.sources.types import Pay


def read(text: str, *countries: str) -> tuple[float | None, float | None, str | None, str | None] | None:
    pay, words = pay_of(None, text, countries)
    assert (pay is None) == (words is None)
    assert pay is None or pay.source == "text"
    return None if pay is None else (pay.low, pay.high, pay.currency, pay.interval)


@pytest.mark.parametrize(
    ("text", "low", "high", "currency", "interval"),
    [
        ("The salary range for this role is $120,000 - $150,000.", 120_000, 150_000, "USD", "year"),
        ("Salary: $120K to $150K plus bonus and equity", 120_000, 150_000, "USD", "year"),
        ("Compensation: $120-150k + 10% bonus", 120_000, 150_000, "USD", "year"),
        ("The pay range is between $90,000 and $115,000 per year.", 90_000, 115_000, "USD", "year"),
        ("Base pay: $90,000.00\u2014$115,000.00 USD", 90_000, 115_000, "USD", "year"),
        ("Pay\n- $90,000-115,000 annually", 90_000, 115_000, "USD", "year"),
        ("COMPENSATION:\n- $71,250 - $80,750 salary", 71_250, 80_750, "USD", "year"),
        (
            "The pay range for this role is:\n150,000 - 180,000 USD per year (Remote)",
            150_000,
            180_000,
            "USD",
            "year",
        ),
        ("Base salary: $140,000 + OTE", 140_000, None, "USD", "year"),
        ("Salary: $130,000+", 130_000, None, "USD", "year"),
        ("Salary from £45,000", 45_000, None, "GBP", "year"),
        ("Salary: up to €60.000", None, 60_000, "EUR", "year"),
        ("Salary: £45-£60k pa", 45_000, 60_000, "GBP", "year"),
        ("Pay: $18.00–$20.50 per hour", 18, 20.5, "USD", "hour"),  # noqa: RUF001 - as people write it
        ("Compensation: $35-40/hour", 35, 40, "USD", "hour"),
        ("Hourly rate: £12.60", 12.6, 12.6, "GBP", "hour"),
        ("Day rate: £500 - £600 per day", 500, 600, "GBP", "day"),
        ("We pay $3,000 - $4,500 per month for this role", 3_000, 4_500, "USD", "month"),
        ("Salary: CAD $90,000 - $110,000", 90_000, 110_000, "CAD", "year"),
        ("Salary: $90,000 - $110,000 CAD", 90_000, 110_000, "CAD", "year"),
        ("Jahresgehalt: 48.000 € - 55.000 € brutto", 48_000, 55_000, "EUR", "year"),
        ("Gehalt: 48.000 bis 55.000 EUR pro Jahr", 48_000, 55_000, "EUR", "year"),
        ("Das Bruttomonatsgehalt beträgt 3.800 € bis 4.200 € pro Monat.", 3_800, 4_200, "EUR", "month"),
        ("Stundenlohn: 14,50 €", 14.5, 14.5, "EUR", "hour"),
        ("Salaire : entre 45 000 € et 52 000 € brut par an", 45_000, 52_000, "EUR", "year"),
        ("Rémunération : 45-52 K€ selon profil", 45_000, 52_000, "EUR", "year"),
        ("Salaire : 2 400 € brut par mois", 2_400, 2_400, "EUR", "month"),
        ("Salario: 30.000 € - 36.000 € brutos anuales", 30_000, 36_000, "EUR", "year"),
        ("Sueldo: 1.800 € al mes", 1_800, 1_800, "EUR", "month"),
        ("RAL: 35.000 € - 42.000 €", 35_000, 42_000, "EUR", "year"),
        ("Wynagrodzenie: 18 000 - 24 000 PLN miesięcznie", 18_000, 24_000, "PLN", "month"),
        ("Salary: CHF 110'000 - 130'000 per year", 110_000, 130_000, "CHF", "year"),
        ("CTC: 12-15 LPA", 1_200_000, 1_500_000, "INR", "year"),
        ("Salary: ₹12,00,000 - ₹15,00,000 per annum", 1_200_000, 1_500_000, "INR", "year"),
        ("Salary: $25/hour ($52,000 annually)", 25, 25, "USD", "hour"),
        (
            "Salary: $100,000 - $130,000. Most people start at a salary of $110,000.",
            100_000,
            130_000,
            "USD",
            "year",
        ),
        ("We raised $50M. Salary: $100,000 - $130,000", 100_000, 130_000, "USD", "year"),
        ("Compensation & Benefits: $100,000 - $130,000", 100_000, 130_000, "USD", "year"),
        ("\U0001f4b0 €65k - €85k + equity", 65_000, 85_000, "EUR", "year"),
        ("$120,000 to $180,000, plus meaningful equity", 120_000, 180_000, "USD", "year"),
        ("Package : 50k€ - 60k€", 50_000, 60_000, "EUR", "year"),
        ("Rango salarial: 35.000€ - 45.000€", 35_000, 45_000, "EUR", "year"),
        ("A base salary of $90,000 - $99,000, and you get an annual bonus", 90_000, 99_000, "USD", "year"),
        ("Base Salary Range\n$150,000 - $180,000 USD", 150_000, 180_000, "USD", "year"),
    ],
)
def test_pay_a_text_states_is_read(
    text: str, low: float | None, high: float | None, currency: str | None, interval: str | None
):
    assert read(text) == (low, high, currency, interval)


@pytest.mark.parametrize(
    "text",
    [
        "We have raised $50M in Series B funding and grow to $100 million in revenue.",
        "Our seed round was $4.5 million.",
        "You manage a budget of $100,000 - $400,000.",
        "Close deals of $50,000 - $150,000 and build a pipeline of $1,000,000.",
        "A $500 monthly stipend for your home office",
        "$5,000 sign-on bonus",
        "Referral bonus: $1,000 - $2,000 for every hire",
        "- Fitness reimbursement: up to $1,000/year",
        "$10,000–$15,000 in relocation support",  # noqa: RUF001 - as people write it
        "Benefits\n- 401k with 4% match",
        "401(k) contributions up to a maximum of $20,000 per year",
        "Life insurance covering two times your salary, up to $200,000",
        "Salary: $1.00 - $250,000",
        "The pay range for this role is $40,000 - $250,000 per year.",
        "Salary: $140,000-1$70,000",
        "Salary: $93,000 - 140,0000 per year",
        "Competitive salary and equity",
        "Over 100,000 new patients annually earn points",
        "We sell packages ranging from $99-$649 and pay for results.",
        "Salary: $5 - $9",
        "The plan costs $20 per month.",
        "Customers pay $20,000 - $50,000 per year for our product.",
        "Top performers earn $150,000 in their first year.",
        "Salary 2026",
        "Phone: 030 120000",
        "5-7 years of experience, 2023-2024",
        "",
    ],
)
def test_failure_14_money_that_is_no_pay_is_refused(text: str):
    assert read(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Salary in the US: $150,000 - $180,000. Salary in the UK: £90,000 - £110,000.",
        "Compensation: $120,000 - $140,000 in Austin. For New York it is $130,000 - $150,000.",
        "Salary, level 1: $90,000 - $110,000. Salary, level 2: $130,000 - $160,000.",
        "Compensation: $60,000 OTE ($40,000 base salary plus commission)",
        "Salary: $65,000 guaranteed base + commission. Pay with OTE: $100,000 - $180,000",
    ],
)
def test_failure_14_ranges_that_differ_are_not_joined_and_none_is_chosen(text: str):
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "low", "high", "currency", "interval"),
    [
        ("$120K – $150K • Offers Equity", 120_000, 150_000, "USD", "year"),  # noqa: RUF001 - as people write it
        ("$110,000 - $130,000 CAD", 110_000, 130_000, "CAD", "year"),
        ("150-200k USD + 0.5-1% equity", 150_000, 200_000, "USD", "year"),
        ("A$150,000 + super", 150_000, None, "AUD", "year"),
        ("Circa £75,000 per annum", 75_000, 75_000, "GBP", "year"),
        ("$17/hr + tips", 17, 17, "USD", "hour"),
        ("£350 per day inside IR35", 350, 350, "GBP", "day"),
        ("£28,000 - £32,000 pro rata", 28_000, 32_000, "GBP", "year"),
        ("Salário: R$ 8.000 a R$ 12.000 por mês", 8_000, 12_000, "BRL", "month"),
        ("Faixa salarial: R$ 10.000 - R$ 15.000", 10_000, 15_000, "BRL", None),
        ("年収: 800万円\u301c1200万円", 8_000_000, 12_000_000, "JPY", "year"),
        ("¥8,000,000 - ¥12,000,000 per year", 8_000_000, 12_000_000, None, "year"),
        ("Wynagrodzenie: 18 000 - 24 000 PLN netto + VAT / miesiąc", 18_000, 24_000, "PLN", "month"),
        ("Lön: 45 000 - 55 000 kr/månad", 45_000, 55_000, None, "month"),
        ("Plat: 60 000 - 90 000 Kč / měsíc", 60_000, 90_000, "CZK", "month"),
        ("CTC: ₹20L - ₹35L", 2_000_000, 3_500_000, "INR", "year"),
        ("Compensation: 20-35 Lakhs per annum", 2_000_000, 3_500_000, "INR", "year"),
        ("Rs. 15,00,000 - 25,00,000 per annum", 1_500_000, 2_500_000, None, "year"),
        ("This role pays between $90,000 and $110,000", 90_000, 110_000, "USD", "year"),
        ("Wir bieten 60.000 - 70.000 EUR Jahresbruttogehalt", 60_000, 70_000, "EUR", "year"),
    ],
)
def test_pay_in_other_words_and_signs(
    text: str, low: float | None, high: float | None, currency: str | None, interval: str | None
):
    told = read(f"About Northwind\n\nWe bake bread.\n\n{text}\n\nWrite to us.")
    assert told is not None
    found_low, found_high, *rest = told
    assert (found_low, rest) == (low, [currency, interval])
    assert found_high == high or text.endswith("tips")


@pytest.mark.parametrize(
    "text",
    [
        "Perks\n- $100,000 - $200,000",
        "Deal size\n$50,000 - $200,000",
        "- $40,000 - $60,000 monthly ad spend",
        "Helping families earning $30,000 - $60,000 a year",
        "For workers who make $40,000 - $80,000 per year",
        "Rent subsidy $1,000 - $2,000 per month",
        "$3,000 annual L&D stipend",
        "Engines of 20L - 35L",
        "$500 for a good idea",
        "We serve 20,000 a day",
    ],
)
def test_money_of_others_and_lines_of_more_than_money_are_no_pay(text: str):
    assert read(f"About Northwind\n\n{text}\n\nWrite to us.") is None


def test_an_hour_is_never_made_a_year():
    assert read("Pay: $20 per hour", "US") == (20, 20, "USD", "hour")


@pytest.mark.parametrize(
    ("text", "country", "currency"),
    [
        ("Salary: $90,000 - $110,000", "US", "USD"),
        ("Salary: $90,000 - $110,000", "DE", "USD"),
        ("Salary: $90,000 - $110,000", "CA", None),
        ("Salary: $90,000 - $110,000", "AU", None),
        ("Salary: 500,000 - 600,000 kr per year", "SE", "SEK"),
        ("Salary: 500,000 - 600,000 kr per year", "DK", "DKK"),
    ],
)
def test_a_sign_of_several_currencies_is_settled_by_the_country(
    text: str, country: str, currency: str | None
):
    found = read(text, country)
    assert found is not None
    assert found[2] == currency


def test_the_field_wins_and_a_nonsense_field_says_nothing():
    field = Pay(low=90_000, high=120_000, currency="USD", interval="year", source="field")
    text = "Salary: $50,000 - $60,000"
    assert pay_of(field, text, ()) == (field, None)
    nonsense = Pay(low=1, high=250_000, currency="USD", interval="year", source="field")
    assert pay_of(nonsense, None, ()) == (None, None)
    open_end = Pay(low=90_000, high=None, currency="USD", interval="year", source="field")
    assert pay_of(open_end, None, ()) == (open_end, None)


def test_the_words_read_are_kept():
    _, words = pay_of(
        None, "About us. The salary range is $120,000 - $150,000, depending on experience. More.", ()
    )
    assert words == "The salary range is $120,000 - $150,000, depending on experience"
