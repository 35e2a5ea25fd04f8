/** A picture of our own, by the SHA-256 of its contents; the second form is that of older uploads. */
export const ownPicture = /^\/media\/(?:[0-9a-f]{64}|[A-Za-z0-9_-]{1,100}\.(?:webp|png|jpe?g))$/

/** What a page may show: pictures elsewhere would tell others who looks at it. */
export const shownPicture = (address: string | null): string | null =>
  address !== null && ownPicture.test(address) ? address : null

/** Why a picture of another site was not taken over. */
export const pictureProblems = [
  /** Not https, or an address inside a private network. */
  'address',
  'unreachable',
  /** Anything but 200. */
  'status',
  'too-large',
  'kind',
  'pixels',
  'broken',
] as const
export type PictureProblem = (typeof pictureProblems)[number]
