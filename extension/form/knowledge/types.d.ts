/** What is known of one hiring platform: selectors and words over the general engine, never steps. */
export interface Knowledge {
  /** as the server names it */
  platform: string;
  /** any of these on a page shows that it is this platform's, whatever its address */
  marks: string[];
  /** where its application form stands; without a match the whole page is read */
  roots?: string[];
  /** parts of its pages that are no application form */
  elsewhere?: string[];
  /** what holds one question with its words */
  questions?: string[];
  /** what names a question inside its holder, where nothing else does */
  words?: string[];
  /** stands on a confirmation only */
  confirmations?: string[];
  /** a confirmation's address, as a regular expression over path and search */
  addresses?: string[];
  /** a confirmation's sentence, as a regular expression */
  sentences?: string[];
  /** names the step a form of several is at */
  steps?: string[];
  /** adds a row to a repeated section */
  adds?: string[];
  /** boxes over a list of suggestions that has no role: box, what holds both, the list, one of its entries */
  lookups?: { box: string; around: string; list: string; option: string }[];
  /** pressing a choice by script wakes its guard against robots: choices are set instead */
  sets_choices?: boolean;
}
