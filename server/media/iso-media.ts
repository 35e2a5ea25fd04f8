/** Limit of boxes to read; a recording has some dozens. */
const MAX_BOXES = 2_000
/** Boxes on the path to a track's type. */
const nests: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia'])

interface Box {
  name: string
  /** Start of its contents. */
  from: number
  to: number
}

/**
 * Track types of an MP4: `vide`, `soun` and others. Reads box by box like a player, so media data is never taken for a
 * box.
 */
export function tracksIn(bytes: Buffer): ReadonlySet<string> {
  const tracks = new Set<string>()
  const open = [{ at: 0, to: bytes.length }]
  for (let left = MAX_BOXES; left > 0; left -= 1) {
    const outer = open.at(-1)
    if (!outer) break
    const box = boxAt(bytes, outer.at, outer.to)
    if (box === null) {
      open.pop()
      continue
    }
    const { name, from, to } = box
    outer.at = to
    if (nests.has(name)) open.push({ at: from, to })
    if (name === 'hdlr') tracks.add(bytes.toString('latin1', from + 8, Math.min(from + 12, to)))
  }
  return tracks
}

/** Null if there is no box or it ends outside of its parent. */
function boxAt(bytes: Buffer, at: number, end: number): Box | null {
  if (at + 8 > end) return null
  const size = bytes.readUInt32BE(at)
  const from = at + (size === 1 ? 16 : 8)
  if (from > end) return null
  const to = size === 0 ? end : at + (size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size)
  return to < from || to > end ? null : { name: bytes.toString('latin1', at + 4, at + 8), from, to }
}
