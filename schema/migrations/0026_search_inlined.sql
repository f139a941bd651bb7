-- What a posting is found by, said so that the server works it out in the statement that writes the row. A function
-- that holds a subquery, or an operator that is not immutable, is a statement of its own: planned once, but set up
-- anew for every row, which took more time than all of its words. What it makes of a row stays the same.

CREATE FUNCTION joined_words(words text[]) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN left(coalesce(array_to_string(words, ' '), ''), 2000);
END
$$;

CREATE FUNCTION country_filters(countries text[]) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  filters text[] := '{}';
  country text;
BEGIN
  FOREACH country IN ARRAY coalesce(countries, '{}') LOOP
    IF country IS NOT NULL THEN
      filters := filters || left('=country:' || country, 50);
    END IF;
  END LOOP;
  RETURN filters;
END
$$;

-- Long words backwards, as words nobody can type.
CREATE FUNCTION word_ends(words text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  ends text[] := '{}';
  word text;
BEGIN
  FOREACH word IN ARRAY string_to_array(coalesce(words, ''), ' ') LOOP
    IF length(word) BETWEEN 9 AND 60 THEN
      ends := ends || ('=<' || reverse(word));
    END IF;
  END LOOP;
  RETURN ends;
END
$$;

CREATE OR REPLACE FUNCTION title_ends(title text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN title ~ '[^ ]{9}' THEN array_to_tsvector(word_ends(search_words(title))) ELSE '' END;

CREATE OR REPLACE FUNCTION posting_search(
    title text, company text, board text, locations text[], countries text[], platform text, workplace text,
    employment_type text, seniority text, pay_low numeric, pay_high numeric, pay_currency text,
    pay_interval text, closed_at timestamptz) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig, search_words(
      title || ' ' || coalesce(company, '') || ' ' || board || ' ' || joined_words(locations)))
    || title_ends(title)
    || array_to_tsvector(array_remove(ARRAY[
        left('=platform:' || platform, 400),
        left('=board:' || platform || '/' || lower(board), 400),
        left('=workplace:' || workplace, 400),
        left('=employment:' || employment_type, 400),
        left('=seniority:' || seniority, 400),
        CASE WHEN closed_at IS NULL THEN '=open' END,
        CASE WHEN pay_low IS NOT NULL OR pay_high IS NOT NULL THEN '=pay' END,
        '=pay:' || left(pay_currency, 20) || ':'
          || pay_step(yearly_pay(coalesce(pay_high, pay_low), pay_interval))::text
      ], NULL)
      || country_filters(countries));
