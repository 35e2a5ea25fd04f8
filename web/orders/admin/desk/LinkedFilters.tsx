import { bahrainDate, bahrainTime } from '@qatra/contract/calendar/calendar'
import { soldStatuses } from '@qatra/contract/orders/order-status'
import { listAdminProducts } from '@qatra/contract/products/admin'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNameIn } from '../../../app/names.ts'
import { read } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { dayOfYear } from '../../../ui/admin/day-words.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { CloseIcon } from '../../../ui/icons.tsx'
import type { Desk } from './use-desk.ts'

/** Filters from a link that have no control here; shown with a button to remove them. */
export function LinkedFilters({ state, setState }: Pick<Desk, 'state' | 'setState'>) {
  const { t, lang } = useLanguage()
  const { attention, product, customPrices, hour, before, status } = state
  const isSold = soldStatuses.every((one) => status.includes(one)) && status.length === soldStatuses.length
  const clock = (n: number) => `${String(n % 24).padStart(2, '0')}:00`
  return (
    <>
      {isSold && <Linked onClear={() => setState({ status: [] })}>{t('desk.filter.notCancelled')}</Linked>}
      {attention === 'unconfirmed' && (
        <Linked onClear={() => setState({ attention: undefined })}>{t('desk.filter.unconfirmed')}</Linked>
      )}
      {product.length > 0 && (
        <Linked onClear={() => setState({ product: [] })}>
          <ProductNames ids={product} />
        </Linked>
      )}
      {customPrices && (
        <Linked onClear={() => setState({ customPrices: undefined })}>{t('desk.filter.customPrices')}</Linked>
      )}
      {hour !== undefined && (
        <Linked onClear={() => setState({ hour: undefined })}>
          <bdi dir="ltr">{t('desk.filter.hour', { from: clock(hour), to: clock(hour + 1) })}</bdi>
        </Linked>
      )}
      {before && (
        <Linked onClear={() => setState({ before: undefined })}>
          {t('desk.filter.before', {
            day: dayOfYear(bahrainDate(new Date(before)), lang),
            time: bahrainTime(new Date(before)),
          })}
        </Linked>
      )}
    </>
  )
}

function Linked({ onClear, children }: { onClear(): void; children: ReactNode }) {
  const t = useT()
  return (
    <ToolbarButton chosen onClick={onClear} className="max-w-64">
      <span className="truncate leading-relaxed">{children}</span>
      <CloseIcon size={14} aria-hidden="true" />
      <span className="sr-only">{t('desk.filter.takeOff')}</span>
    </ToolbarButton>
  )
}

/** A deleted product is shown by its id. */
function ProductNames({ ids }: { ids: readonly number[] }) {
  const t = useT()
  const nameIn = useNameIn()
  const { data } = useQuery(read(listAdminProducts, { query: { limit: 100 } }))
  const names = ids.map((id) => {
    const found = data?.items.find((product) => product.id === id)
    return found ? nameIn(found) : `#${id}`
  })
  return t('desk.filter.products', { names: names.join(t('admin.and')) })
}
