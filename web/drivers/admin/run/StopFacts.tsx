/** Where a stop is, who takes the order, and what is handed over. */

import type { RunStop } from '@qatra/contract/drivers'
import { isApproximate } from '@qatra/contract/places/pin'
import { useState } from 'react'
import { useInLang } from '../../../app/names.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import type { useDelivery } from '../../../orders/DeliveredItems.tsx'
import { Sheet } from '../../../ui/admin/Sheet.tsx'
import { OrderId, Phone } from '../../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { PhoneIcon, WhatsAppIcon } from '../../../ui/icons.tsx'
import { ProductThumb } from '../../../ui/ProductPicture.tsx'
import { Quantity } from '../../../ui/Units.tsx'
import { NavigateIcon, NoteIcon } from './icons.ts'
import { navigationTo, searchFor, telephone, whatsapp } from './run-links.ts'
import { AttemptNumber, TriedAt } from './StopRow.tsx'

/** Moves the focus to the name of the next stop. */
export function goOn() {
  requestAnimationFrame(() => {
    scrollTo({ top: 0 })
    document.getElementById('next-stop')?.focus({ preventScroll: true })
  })
}

/** Whose stop it is, where, and how to get or call there. */
export function StopHead({ stop }: { stop: RunStop }) {
  const t = useT()
  const inLang = useInLang()
  const [isNavigating, setNavigating] = useState(false)
  return (
    <>
      <div className="flex items-center justify-between text-label text-ink-2">
        <span>
          {t('run.next', { number: stop.number })}
          {stop.attempts.length > 0 && ' · '}
          <AttemptNumber stop={stop} />
        </span>
        {!stop.visit && <OrderId id={stop.id.slice(0, 8)} />}
      </div>
      <h2 id="next-stop" tabIndex={-1} className="mt-1 text-display outline-none">
        <bdi>{stop.customerName}</bdi>
      </h2>
      <p className="text-heading font-regular text-ink-2">{inLang(stop.areaName, stop.areaNameAr)}</p>
      <Address stop={stop} />
      {isApproximate(stop.pinSource) && <p className="mb-3 font-strong text-clay">{t('run.approximate')}</p>}
      {stop.instructions && (
        <p className="mb-3.5 flex gap-2.5 text-body text-ink">
          <NoteIcon size={20} aria-hidden="true" className="mt-1 flex-none text-ink-2" />
          <span dir="auto">{stop.instructions}</span>
        </p>
      )}
      {stop.attempts.map((attempt) => (
        <p key={attempt.at} className="mb-2 text-clay">
          <TriedAt attempt={attempt} />
        </p>
      ))}
      <div className="mb-4 grid grid-cols-[1.5fr_1fr_1fr] gap-2">
        <Button tone="gulf" icon={NavigateIcon} className="min-h-13 px-2!" onClick={() => setNavigating(true)}>
          {t('run.navigate')}
        </Button>
        <a href={telephone(stop.phone)} className={buttonClass('quiet', 'normal', 'min-h-13 px-2!')}>
          <PhoneIcon size={20} aria-hidden="true" />
          {t('run.call')}
        </a>
        <a
          href={whatsapp(stop.phone)}
          target="_blank"
          rel="noreferrer"
          className={buttonClass('quiet', 'normal', 'min-h-13 px-1.5!')}
        >
          <WhatsAppIcon size={20} aria-hidden="true" />
          {t('run.whatsapp')}
        </a>
      </div>
      {isNavigating && <NavigateSheet stop={stop} onClose={() => setNavigating(false)} />}
    </>
  )
}

/** Block, road and building; without them the address text. */
function Address({ stop: { addressParts: parts, address } }: { stop: RunStop }) {
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

function NavigateSheet({ stop, onClose }: { stop: RunStop; onClose(): void }) {
  const t = useT()
  const { google, waze, other } = navigationTo(stop.mapCoordinates)
  const title = t('run.navigateWith', { name: stop.customerName })
  const link = buttonClass('quiet', 'big', 'justify-start px-5')
  return (
    <Sheet label={title} title={title} onClose={onClose}>
      <div className="grid grid-cols-1 gap-2 p-4">
        {isApproximate(stop.pinSource) && (
          <>
            <p dir="auto" className="text-as-page text-heading">
              {stop.address}
            </p>
            <a href={searchFor(stop.address)} target="_blank" rel="noreferrer" className={link} onClick={onClose}>
              {t('run.searchAddress')}
            </a>
            <p className="pt-2 text-ink-2">{t('run.approximatePin')}</p>
          </>
        )}
        <a href={google} target="_blank" rel="noreferrer" className={link} onClick={onClose}>
          {t('run.google')}
        </a>
        <a href={waze} target="_blank" rel="noreferrer" className={link} onClick={onClose}>
          {t('run.waze')}
        </a>
        <a href={other} className={link} onClick={onClose}>
          {t('run.otherMaps')}
        </a>
      </div>
    </Sheet>
  )
}
