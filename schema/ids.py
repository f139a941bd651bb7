"""Ids as types of their own, so that a message's id is never taken for an application's."""

from typing import NewType

AccountId = NewType("AccountId", int)
ActId = NewType("ActId", int)
AliasId = NewType("AliasId", int)
ApplicationId = NewType("ApplicationId", int)
AskId = NewType("AskId", int)
CorrectionId = NewType("CorrectionId", int)
DecisionId = NewType("DecisionId", int)
DeviceId = NewType("DeviceId", int)
DocumentId = NewType("DocumentId", int)
FillId = NewType("FillId", int)
ImportId = NewType("ImportId", int)
MailboxId = NewType("MailboxId", int)
MessageId = NewType("MessageId", int)
PostingId = NewType("PostingId", int)
PullId = NewType("PullId", int)
ReadingId = NewType("ReadingId", int)
SavedViewId = NewType("SavedViewId", int)
SourceId = NewType("SourceId", int)
TaskId = NewType("TaskId", int)
TrackerImportId = NewType("TrackerImportId", int)
