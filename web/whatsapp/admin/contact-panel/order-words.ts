import type { Lang } from '@qatra/contract/lib/lang'
import { formatSize } from '@qatra/contract/products/sizes'
import type { ContactOrder } from '@qatra/contract/whatsapp/inbox/inbox'

/** The first two groups of the id distinguish an order from others. */
export const shortId = (id: string) => id.slice(0, 8).replace(/(.{4})(?=.)/, '$1 ')

/** Name and size; some names contain the size. */
export function itemName(
  item: Pick<ContactOrder['items'][number], 'name' | 'nameAr' | 'size'>,
  nameIn: (named: { name: string; nameAr: string | null }) => string,
  lang: Lang,
): string {
  const name = nameIn(item)
  const size = item.size ? formatSize(item.size, lang) : ''
  return size === '' || name.includes(size) ? name : `${name} ${size}`
}
