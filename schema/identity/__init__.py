"""Who is who for catalog, mail and extension: postings by address, companies, titles, dates, requisitions."""
