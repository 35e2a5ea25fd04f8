import { useMemo } from 'react'
import { useNameIn } from '../../app/names.ts'
import { useLang } from '../../lib/language/i18n.tsx'

/** Sorts by the name in the page's language. */
export function useSortedByName<T extends { name: string; nameAr: string | null }>(list: readonly T[] | undefined) {
  const lang = useLang()
  const nameIn = useNameIn()
  // oxlint-disable-next-line react/exhaustive-deps -- the names follow from the language
  return useMemo(() => list && [...list].sort((a, b) => nameIn(a).localeCompare(nameIn(b), lang)), [list, lang])
}
