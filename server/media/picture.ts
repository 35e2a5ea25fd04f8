import type { Sharp } from 'sharp'

export type PictureProblem = 'kind' | 'pixels' | 'broken'

export interface Picture {
  bytes: Buffer
  width: number
  height: number
}

/** No screen of ours shows a product larger. */
const MAX_SIDE = 1_000
/** More than telephones' pictures have; above it a small file could fill the memory. */
const MAX_PIXELS = 40_000_000
/** Those that have to be unfolded as a whole: a line at a time is not how they are written. */
const MAX_PIXELS_UNSTREAMED = 12_000_000
const SECONDS = 5

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

/** By its first bytes, whatever its name says. SVG is a program and is none of these. */
function isPicture(bytes: Uint8Array): boolean {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return true
  if (bytes[0] === 0x89 && ascii(bytes, 1, 8) === 'PNG\r\n\u001a\n') return true
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return true
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return true
  return ascii(bytes, 4, 12) === 'ftypavif'
}

/**
 * Made anew from its pixels alone, upright and no larger than needed: nothing else that was in the file is kept, neither
 * the place where it was taken nor what somebody hid behind the picture.
 */
export async function reencodePicture(bytes: Uint8Array): Promise<Picture | PictureProblem> {
  if (!isPicture(bytes)) return 'kind'
  // Loaded by whoever first sends a picture: the library takes memory that a shop without any does not need.
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const open = (): Sharp => sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
  try {
    const { width, height, isProgressive, format } = await open().metadata()
    const isWhole = isProgressive || format === 'gif' || format === 'heif' || format === 'webp'
    if (width * height > (isWhole ? MAX_PIXELS_UNSTREAMED : MAX_PIXELS)) return 'pixels'
    const { data, info } = await open()
      .timeout({ seconds: SECONDS })
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82, effort: 4 })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch (error) {
    return error instanceof Error && /pixel limit/i.test(error.message) ? 'pixels' : 'broken'
  }
}
