/** Where a stop is, who takes the order, and what is handed over. */

import type { RunStop } from '@qatra/contract/drivers'
import { useInLang } from '../../../app/names.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import type { useDelivery } from '../../../orders/DeliveredItems.tsx'
import { Phone } from '../../../ui/Bidi.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { PhoneIcon } from '../../../ui/icons.tsx'
import { ProductThumb } from '../../../ui/ProductPicture.tsx'
import { Quantity } from '../../../ui/Units.tsx'
import { telephone } from './run-links.ts'

/** Block, road and building; without them the address text. */
export function Address({ stop: { addressParts: parts, address } }: { stop: RunStop }) {
  const t = useT()
  const shown = [
    [t('run.block'), parts?.block],
    [t('run.road'), parts?.road],
    [t('run.building'), parts?.building],
    ...(parts?.flat ? [[t('run.flat'), parts.flat]] : []),
  ]
  const isWhole = parts?.block || parts?.road || parts?.building
  if (!isWhole)
    return (
      <p dir="auto" className="mt-3.5 mb-3 rounded-l bg-well px-4 py-3 text-heading">
        {address}
      </p>
    )
  return (
    <dl className="mt-3.5 mb-3 grid auto-cols-fr grid-flow-col rounded-l bg-well py-3">
      {shown.map(([term, value]) => (
        <div key={term} className="border-s border-line px-1 text-center first:border-0">
          <dt className="text-label text-ink-2">{term}</dt>
          <dd className="text-[1.625rem] leading-[1.3] font-strong break-words">
            <bdi>{value || '–'}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Who takes the order, with the second phone. */
export function Receiver({ stop: { receiverName, receiverPhone } }: { stop: RunStop }) {
  const t = useT()
  if (!receiverName && !receiverPhone) return null
  return (
    <div className="mb-4 flex items-center justify-between gap-3 rounded-l bg-well px-4 py-2">
      <p className="min-w-0">
        <span className="block text-label text-ink-2">{t('run.receiver')}</span>
        {receiverName && <bdi className="block font-strong break-words">{receiverName}</bdi>}
        {receiverPhone && <Phone phone={receiverPhone} />}
      </p>
      {receiverPhone && (
        <a href={telephone(receiverPhone)} className={buttonClass('quiet', 'normal', 'min-h-13 shrink-0 px-4')}>
          <PhoneIcon size={20} aria-hidden="true" />
          {t('run.callReceiver')}
        </a>
      )}
    </div>
  )
}

export function Items({ stop, leftFor }: { stop: RunStop; leftFor: ReturnType<typeof useDelivery>['leftFor'] }) {
  const t = useT()
  const inLang = useInLang()
  const inVan = (item: RunStop['items'][number]) => {
    const left = leftFor(item)
    if (!left) return null
    const words = t('partly.left', { count: left.inVan })
    return left.inVan < item.quantity ? <span className="font-strong text-clay">{words}</span> : <span>{words}</span>
  }
  return (
    <ul className="mb-4 grid gap-2">
      {stop.items.map((item) => (
        <li key={item.id} className="flex items-center gap-3">
          <ProductThumb size={item.size} imageUrl={item.imageUrl} tint={stop.vendorTint} />
          <span className="min-w-0">
            <Quantity of={item} count={item.quantity} className="block text-[1.25rem] leading-normal font-strong" />
            <span className="dots text-body text-ink-2">
              <bdi>{inLang(item.name, item.nameAr)}</bdi> {inVan(item)}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
