import { bottleTerms } from '@qatra/contract/bottles'
import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { ProductChangeRow } from '@qatra/contract/products/admin'
import { formatSize } from '@qatra/contract/products/sizes'
import { useQuery } from '@tanstack/react-query'
import { useNameIn } from '../../app/names.ts'
import { type Translate, useLang, useT } from '../../lib/language/i18n.tsx'
import { Timeline } from '../../ui/admin/Timeline.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { auditQuery, useAdminVendors } from './api.ts'

const fields = {
  vendorId: 'admin.vendor',
  name: 'adminProducts.name',
  nameAr: 'adminProducts.nameAr',
  description: 'adminProducts.description',
  descriptionAr: 'adminProducts.descriptionAr',
  price: 'adminProducts.price',
  size: 'adminProducts.size',
  imageUrl: 'adminProducts.picture',
  vatPercentage: 'adminProducts.vatPercentage',
  isActive: 'adminProducts.isActive',
  inventoryUnit: 'adminProducts.inventoryUnit',
  inventoryUnitAr: 'adminProducts.inventoryUnitAr',
  unitsPerInventoryUnit: 'adminProducts.unitsPerInventoryUnit',
  bottle: 'adminProducts.bottle',
  source: 'adminProducts.source',
  sourceAr: 'adminProducts.sourceAr',
  tds: 'adminProducts.tds',
  sodium: 'adminProducts.sodium',
  ph: 'adminProducts.ph',
  filledOn: 'adminProducts.filledOn',
  filledWithinDays: 'adminProducts.filledWithinDays',
} as const

/** All changes with old and new values. */
export function ProductHistory({ id }: { id: string }) {
  const t = useT()
  const lang = useLang()
  const words = useValueWords()
  const { data: rows } = useQuery({ ...auditQuery(id), refetchOnMount: 'always' })
  if (!rows) return <Skeleton className="mx-4 h-40 md:mx-6" />
  if (rows.length === 0) return <p className="px-4 text-ink-2 md:px-6">{t('adminProducts.history.empty')}</p>

  const titleOf = (row: ProductChangeRow) => {
    const field = row.fieldChanged
    if (field === null || !(field in fields)) {
      if (row.isBulk) return t('adminProducts.history.bulk')
      return t(row.action === 'deleted' ? 'adminProducts.history.deleted' : 'adminProducts.history.created')
    }
    const key = field as keyof typeof fields // the line before checked it
    return (
      <>
        <span className="text-ink-2">{t(fields[key])}: </span>
        <bdi className="wrap-anywhere whitespace-normal text-ink-3 line-through">{words(key, row.oldValue)}</bdi>{' '}
        <span aria-hidden="true" className="inline-block rtl:-scale-x-100">
          →
        </span>{' '}
        <bdi className="font-strong wrap-anywhere whitespace-normal">{words(key, row.newValue)}</bdi>
      </>
    )
  }
  const authorOf = ({ changedByName, onBehalfOf, onBehalfOfName, changedBy }: ProductChangeRow) => {
    const name = changedByName ?? (changedBy === null ? t('adminProducts.history.system') : `#${changedBy}`)
    return onBehalfOf === null ? (
      <bdi>{name}</bdi>
    ) : (
      t('adminProducts.history.behalf', { name, other: onBehalfOfName ?? `#${onBehalfOf}` })
    )
  }
  return (
    <div className="max-w-180 px-4 pb-10 md:px-6">
      <Timeline
        label={t('adminProducts.tab.history')}
        items={rows.map((row) => ({
          key: row.id,
          title: titleOf(row),
          by: authorOf(row),
          note: row.notes,
          time: formatDateTime(new Date(row.changedAt), lang),
          exact: row.changedAt,
        }))}
      />
    </div>
  )
}

/** As recorded: the type by its number. */
function bottleWords(t: Translate, { terms, typeId }: Record<string, unknown>): string {
  const known = bottleTerms.find((one) => one === terms)
  return known ? `${t(`adminProducts.bottle.short.${known}`)} #${typeId}` : String(terms)
}

function useValueWords() {
  const t = useT()
  const lang = useLang()
  const nameIn = useNameIn()
  const vendors = useAdminVendors()
  return (field: keyof typeof fields, value: ProductChangeRow['oldValue']): string => {
    if (value === null || value === '') return t('adminProducts.history.none')
    if (typeof value === 'boolean') return t(value ? 'adminProducts.history.yes' : 'adminProducts.history.no')
    if (field === 'price' && typeof value === 'number') return formatMoney(fromBhd(value), lang)
    if (field === 'vatPercentage') return `${value}%`
    if (field === 'bottle' && typeof value === 'object') return bottleWords(t, value)
    if (field === 'size') return formatSize(String(value), lang)
    const vendor = field === 'vendorId' ? vendors.find(({ id }) => id === value) : undefined
    return vendor ? nameIn(vendor) : String(value)
  }
}
