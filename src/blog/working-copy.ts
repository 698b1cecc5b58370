import { HTML_VERSION, type CleanHtml } from './html/clean-html.js';
import { dedupeTags, tagKeys, textWords } from './text/words.js';

/** Enough to tell what a text is about; bounds the index and the scoring of similar blogs. */
const TITLE_WORDS = 20;
const DESCRIPTION_WORDS = 40;

/** The editable fields as typed, save the text, which HtmlCleaner has cleaned. */
export interface WorkingCopyInput {
  readonly title: string;
  readonly description: string;
  readonly draftText: CleanHtml;
  readonly slug: string;
  readonly tags: readonly string[];
  readonly imgUrl: string | null;
}

/** The fields of the working copy as stored, with what is derived from them. */
export interface WorkingCopy {
  readonly title: string;
  readonly titleWords: string[];
  readonly description: string;
  readonly descriptionWords: string[];
  readonly draftText: CleanHtml;
  readonly htmlVersion: number;
  readonly slug: string;
  readonly tags: string[];
  readonly tagKeys: string[];
  readonly imgUrl: string | null;
}

/** How each field is stored; none depends on another, so an edit may name any of them. */
const STORED: {
  readonly [Field in keyof WorkingCopyInput]: (
    value: WorkingCopyInput[Field],
  ) => Partial<WorkingCopy>;
} = {
  title: (title) => ({ title, titleWords: textWords(title, TITLE_WORDS) }),
  description: (description) => ({
    description,
    descriptionWords: textWords(description, DESCRIPTION_WORDS),
  }),
  draftText: (draftText) => ({ draftText, htmlVersion: HTML_VERSION }),
  slug: (slug) => ({ slug }),
  tags: (tags) => {
    const kept = dedupeTags(tags);
    return { tags: kept, tagKeys: tagKeys(kept) };
  },
  imgUrl: (imgUrl) => ({ imgUrl }),
};

/**
 * @param input any of the editable fields; an undefined one is left out
 * @returns those fields as they are stored; `imgUrl: null` stands for removal
 */
export function toWorkingCopy<Input extends Partial<WorkingCopyInput>>(
  input: Input,
): Partial<WorkingCopy> {
  const fields = Object.keys(STORED) as (keyof WorkingCopyInput)[];
  return Object.assign(
    {},
    ...fields.map((field) => storeField(input, field)),
  ) as Partial<WorkingCopy>;
}

function storeField<Field extends keyof WorkingCopyInput>(
  input: Partial<WorkingCopyInput>,
  field: Field,
): Partial<WorkingCopy> {
  const value = input[field];
  return value === undefined ? {} : STORED[field](value);
}
