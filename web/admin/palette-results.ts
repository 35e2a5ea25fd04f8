import { formatPhone } from '@qatra/contract/lib/phone'
import { includesFolded, isolated } from '@qatra/contract/lib/text'
import { shortId } from '@qatra/contract/orders/order-id'
import { formatSize } from '@qatra/contract/products/sizes'
import { type Found, searchAdmin } from '@qatra/contract/search-admin'
import { choiceName } from '@qatra/contract/users/permissions'
import { useQuery } from '@tanstack/react-query'
import { createAtom, useSelector } from '@tanstack/react-store'
import { useEffect, useState } from 'react'
import { useInLang, useNameIn } from '../app/names.ts'
import { onPersonChanged } from '../app/session/session.ts'
import { read } from '../lib/api-client.ts'
import { useDebouncedValue } from '../lib/debounce.ts'
import { type Translate, translateWith, useLanguage } from '../lib/language/i18n.tsx'
import { loadUsedMessages } from '../lib/language/messages.ts'
import { useNavigation } from './nav.ts'

export interface Result {
  key: string
  title: string
  hint: string
  to: string
  search: Record<string, unknown>
}
export interface Group {
  kind: 'recent' | 'pages' | keyof Found
  items: Result[]
}

const MOST_PAGES = 5
const MOST_RECENT = 5
const SETTLE_MS = 150

/** In memory only: it holds names and phones of customers. */
const recent = createAtom<readonly Result[]>([])
onPersonChanged(() => recent.set([]))
export const remember = (result: Result) =>
  recent.set([result, ...recent.get().filter(({ key }) => key !== result.key)].slice(0, MOST_RECENT))

/** The texts of the other language, once they are loaded. */
function useOtherLanguage(): Translate | null {
  const { lang } = useLanguage()
  const [other, setOther] = useState<Translate | null>(null)
  useEffect(() => {
    let isCurrent = true
    void loadUsedMessages(lang === 'ar' ? 'en' : 'ar').then(
      (i18n) => isCurrent && setOther(() => translateWith(i18n)),
      () => {}, // without a network the pages are found in the current language
    )
    return () => {
      isCurrent = false
    }
  }, [lang])
  return other
}

/** Pages of the person's navigation by their names in both languages, without a call. */
function usePages(text: string): Result[] {
  const { t } = useLanguage()
  const other = useOtherLanguage()
  const entries = useNavigation()
  return entries
    .filter(({ label }) => [t, other].some((translate) => translate && includesFolded(translate(label), text)))
    .slice(0, MOST_PAGES)
    .map(({ path, label }) => ({ key: path, title: t(label), hint: '', to: path, search: {} }))
}

const nameAndPhone = ({ name, phone }: { name: string | null; phone: string }) => ({
  title: name ?? formatPhone(phone),
  hint: name === null ? '' : formatPhone(phone),
})

export function useResults(typed: string) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  const nameIn = useNameIn()
  const lately = useSelector(recent)
  const text = typed.trim()
  const [settled] = useDebouncedValue(text, SETTLE_MS)
  const pages = usePages(text)
  const isSettled = settled === text
  const { data, isError, isFetching, refetch } = useQuery({
    ...read(searchAdmin, { query: { q: settled } }),
    enabled: settled !== '',
    staleTime: 0,
  })
  const found = isSettled && text !== '' ? data : undefined
  const groups: Group[] =
    text === ''
      ? [{ kind: 'recent', items: [...lately] }]
      : [
          // First, since they are there at once: what arrives later does not move them.
          { kind: 'pages', items: pages },
          {
            kind: 'orders',
            items: (found?.orders ?? []).map(({ id, customerName, areaName, areaNameAr, status }) => ({
              key: `order ${id}`,
              title: `${isolated(shortId(id))} · ${isolated(customerName)}`,
              hint: [inLang(areaName, areaNameAr), t(`admin.status.${status}`)]
                .flatMap((one) => (one ? [isolated(one)] : []))
                .join(' · '),
              to: '/admin/orders',
              search: { day: 'all', open: id },
            })),
          },
          {
            kind: 'customers',
            items: (found?.customers ?? []).map(({ id, name, phone }) => ({
              key: `customer ${id}`,
              ...nameAndPhone({ name, phone }),
              to: '/admin/customers',
              search: { open: id },
            })),
          },
          {
            kind: 'drivers',
            items: (found?.drivers ?? []).map(({ id, name, phone }) => ({
              key: `driver ${id}`,
              ...nameAndPhone({ name, phone }),
              to: '/admin/drivers',
              search: { driver: id },
            })),
          },
          {
            kind: 'users',
            items: (found?.users ?? []).map(({ id, name, phone, ...choice }) => ({
              key: `user ${id}`,
              title: name ?? formatPhone(phone),
              hint: t(`admin.role.${choiceName(choice)}`),
              to: '/admin/users',
              search: { open: id },
            })),
          },
          {
            kind: 'products',
            items: (found?.products ?? []).map((product) => ({
              key: `product ${product.id}`,
              title: nameIn(product),
              hint: formatSize(product.size, lang),
              to: `/admin/products/${product.id}`,
              search: {},
            })),
          },
          {
            kind: 'areas',
            items: (found?.areas ?? []).map((area) => ({
              key: `area ${area.id}`,
              title: nameIn(area),
              hint: '',
              to: `/admin/areas/${area.id}`,
              search: {},
            })),
          },
        ]
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    isSearching: text !== '' && (!isSettled || isFetching),
    isFailed: text !== '' && isSettled && isError && !isFetching,
    retry: () => void refetch(),
  }
}
