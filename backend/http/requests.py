"""The one name for Litestar's request in this program, so that its three type parameters stand once."""

from litestar import Request
from litestar.datastructures import State

Req = Request[object, object, State]
