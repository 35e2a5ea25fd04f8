import { createAtom, useSelector } from '@tanstack/react-store'

const counts = createAtom<Readonly<Record<string, number>>>({})

/** Number of waiting items beside a navigation entry, such as new orders; hidden if 0. */
export function setNavCount(path: `/admin/${string}`, count: number) {
  if ((counts.get()[path] ?? 0) !== count) counts.set({ ...counts.get(), [path]: count })
}

export const useNavCounts = () => useSelector(counts)

/** False if nobody has ever written to the shop. */
const talking = createAtom(true)
export const setTalking = (isTalking: boolean) => talking.set(isTalking)
export const useIsTalking = () => useSelector(talking)
