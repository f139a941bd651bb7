"""The situations mail stands in, one function each. A situation says in `because` what makes its truth so."""
