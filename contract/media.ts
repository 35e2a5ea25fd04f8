/** Path of a stored picture: the SHA-256 of its contents. */
export const ownPicture = /^\/media\/[0-9a-f]{64}$/

/** The address if it is a stored picture, else null: an external picture would reveal visitors to its host. */
export const shownPicture = (address: string | null): string | null =>
  address !== null && ownPicture.test(address) ? address : null

/** Address of a stored file for the heading of a template; a document is named. */
const storedHeading = /^\/media\/([0-9a-f]{64})(?:\?name=[^\s&#?]{1,900})?$/

/** SHA-256 of a stored file of a heading; null for an address on the web. */
export const storedHeadingOf = (address: string): string | null => storedHeading.exec(address)?.[1] ?? null

/** Why an external picture was not stored. */
export const pictureProblems = [
  /** Not https, or an address inside a private network. */
  'address',
  'unreachable',
  /** The response status is not 200. */
  'status',
  'too-large',
  'kind',
  'pixels',
  'broken',
] as const
export type PictureProblem = (typeof pictureProblems)[number]
