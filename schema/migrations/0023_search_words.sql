-- Words as job titles are written and as people type them (docs/catalog.md): "Java/Kotlin" holds two words,
-- "C++" and "C#" are not "c", "d’études" holds "etudes", and "Entwickler" finds "Softwareentwickler".

CREATE FUNCTION plain_letters(words text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN words ~ '[^ -~]' THEN
    translate(replace(replace(replace(replace(replace(replace(
      regexp_replace(normalize(words, NFKD), '[\u0300-\u036F\u00AD\u200B-\u200D]', '', 'g'),
      'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'),
      'øØłŁđĐı', 'oOlLdDi')
    ELSE words END;

-- Names of techniques that are told apart by their signs.
CREATE FUNCTION named_techniques(words text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN words ~ '[+#]|\.net|js' THEN
    regexp_replace(regexp_replace(regexp_replace(regexp_replace(words,
      '\mc\+\+', ' cplusplus ', 'g'), '\m([cf])#', ' \1sharp ', 'g'), '\.net\M', ' dotnet ', 'g'),
      '\m(node|react|vue|next|nuxt|angular|three|express|d3)\.?js\M', '\1 js', 'g')
    ELSE words END;

-- Letters without marks, small, and one space between words. Used for what is stored; what is asked is read
-- the same way by pipeline/catalog/search/words.py.
CREATE FUNCTION search_words(words text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(named_techniques(lower(plain_letters(words))),
    '[\u0001-\u002F\u003A-\u0060\u007B-\u00BF\u00D7\u00F7\u2000-\u2BFF\u3000-\u303F\uFE00-\uFE6F\U0001F000-\U0001FAFF]+',
    ' ', 'g');

-- Long words of a title backwards, as words nobody can type: German writes in one word what one looks for by its end.
CREATE FUNCTION title_ends(title text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN title ~ '[^ ]{9}' THEN array_to_tsvector(ARRAY(SELECT '=<' || reverse(word)
    FROM string_to_table(search_words(title), ' ') word WHERE length(word) BETWEEN 9 AND 60)) ELSE '' END;

DROP INDEX postings_search;
ALTER TABLE postings DROP COLUMN search;
DROP FUNCTION posting_search;
DROP FUNCTION folded_words;

CREATE FUNCTION posting_search(
    title text, company text, board text, locations text[], countries text[], platform text, workplace text,
    employment_type text, seniority text, pay_low numeric, pay_high numeric, pay_currency text,
    pay_interval text, closed_at timestamptz) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig, search_words(
      title || ' ' || coalesce(company, '') || ' ' || board || ' '
      || left(coalesce(array_to_string(locations, ' '), ''), 2000)))
    || title_ends(title)
    || array_to_tsvector(array_remove(ARRAY[
        left('=platform:' || platform, 400),
        left('=board:' || platform || '/' || lower(board), 400),
        left('=workplace:' || workplace, 400),
        left('=employment:' || employment_type, 400),
        left('=seniority:' || seniority, 400),
        CASE WHEN closed_at IS NULL THEN '=open' END,
        CASE WHEN pay_low IS NOT NULL OR pay_high IS NOT NULL THEN '=pay' END,
        '=pay:' || left(pay_currency, 20) || ':' || pay_step(yearly_pay(coalesce(pay_high, pay_low), pay_interval))
      ], NULL)
      || array_remove(ARRAY(SELECT left('=country:' || country, 50) FROM unnest(countries) country), NULL));

-- Every posting is written anew: about a minute for half a million.
ALTER TABLE postings ADD COLUMN search tsvector NOT NULL GENERATED ALWAYS AS (posting_search(
  title, company, board, locations, countries, platform, workplace, employment_type, seniority, pay_min, pay_max,
  pay_currency, pay_interval, closed_at)) STORED;
COMMENT ON COLUMN postings.search IS 'Words and filters of the list of postings; made by the server, read by its index.';
CREATE INDEX postings_search ON postings USING gin (search) WITH (gin_pending_list_limit = 1024);
