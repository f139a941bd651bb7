"""People at an employer: who wrote about an application, and whom the person wrote down."""
