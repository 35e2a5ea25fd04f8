/** An answer of Meta, its refusal in its own words, or no answer at all. */
export type Asked<T> =
  | { kind: 'answered'; value: T }
  | { kind: 'refused'; code: number; subcode: number | null; text: string }
  | { kind: 'silent' }
