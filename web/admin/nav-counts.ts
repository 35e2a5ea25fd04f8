import { createAtom, useSelector } from '@tanstack/react-store'

const counts = createAtom<Readonly<Record<string, number>>>({})

/** How many things wait behind an entry of the navigation, such as new orders; 0 shows nothing. */
export function setNavCount(path: `/admin/${string}`, count: number) {
  if ((counts.get()[path] ?? 0) !== count) counts.set({ ...counts.get(), [path]: count })
}

export const useNavCounts = () => useSelector(counts)
