import { dirOf } from '@qatra/contract/lib/lang'
import type { AreaSummary } from '@qatra/contract/places/areas'
import type { Coordinates } from '@qatra/contract/places/geo'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { partLengths, partNames } from '../../checkout/address.ts'
import type { Coverage } from '../../checkout/coverage.ts'
import { useBlockHint } from '../../checkout/use-block-hint.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { MapPicker, pinSourceOf } from '../../map/MapPicker.tsx'
import { Combobox } from '../../ui/admin/form/Combobox.tsx'
import { CheckboxField } from '../../ui/admin/form/fields.tsx'
import { classes } from '../../ui/class-names.ts'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { CheckIcon, PinIcon, WarningIcon } from '../../ui/icons.tsx'
import { areasQuery } from './api.ts'
import { deliverTo } from './draft.ts'
import { fieldId, focusSoon } from './focus.ts'
import type { Sale } from './use-sale.ts'

const link = 'min-h-tap text-label font-strong text-aqua-ink hover:underline'

interface PlacePartProps {
  sale: Sale
  vendorId: number | null
  coverage: Coverage
  /** The area around the pin. */
  area: AreaSummary | null
  /** As stored with the order. */
  address: string
}

/** Delivery address: area, address fields, and an optional pin. */
export function PlacePart({ sale, vendorId, coverage, area, address }: PlacePartProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const { draft, problems, change } = sale
  const [hasMap, setMap] = useState(false)
  const { data: areas } = useQuery(areasQuery())
  const isOwn = draft.ownAddress !== null
  const blockHint = useBlockHint(draft.parts.block, area)

  function chooseArea(id: number | null) {
    const found = areas?.find((one) => one.id === id)
    change({ point: found?.centre ?? null, pinSource: 'area', ignoreCoverage: false }, 'mapCoordinates', 'address')
    if (found && !isOwn) focusSoon(fieldId('block'))
  }
  return (
    <section aria-labelledby="sale-place" className="grid gap-3.5">
      <h2 id="sale-place" className="text-heading">
        {t('sale.place')}
      </h2>
      <Places sale={sale} />
      <div id={fieldId('mapCoordinates')} data-stop="">
        <Combobox
          label={t('sale.area')}
          error={problems['mapCoordinates']}
          placeholder={t('sale.areaHint')}
          value={area?.id ?? null}
          {...(area ? { chosenLabel: nameIn(area) } : {})}
          onChange={chooseArea}
          options={areas?.map((one) => ({
            value: one.id,
            label: nameIn(one),
            also: `${one.name} ${one.nameAr ?? ''}`,
            ...(vendorId !== null && !one.vendorIds.includes(vendorId) ? { hint: t('sale.notServed') } : {}),
          }))}
        />
      </div>
      <CoverageLine coverage={coverage} vendorId={vendorId} />
      <Override sale={sale} coverage={coverage} vendorId={vendorId} />
      {isOwn ? (
        <TextArea
          id={fieldId('address')}
          label={t('checkout.address')}
          rows={2}
          maxLength={500}
          value={draft.ownAddress ?? ''}
          error={problems['address']}
          onChange={({ target }) => change({ ownAddress: target.value }, 'address')}
        />
      ) : (
        <div id={fieldId('address')} className="grid grid-cols-2 items-start gap-3 sm:grid-cols-4">
          {partNames.map((name) => (
            <TextField
              key={name}
              id={fieldId(name)}
              {...(name === 'flat' ? {} : { 'data-stop': '' })}
              label={t(`checkout.${name}`)}
              dir={dirOf(lang)}
              inputMode={name === 'block' ? 'numeric' : 'text'}
              autoComplete="off"
              maxLength={partLengths[name]}
              value={draft.parts[name]}
              hint={name === 'block' && blockHint}
              error={problems[`addressParts.${name}`] ?? (name === 'block' && problems['address'])}
              onChange={({ target }) =>
                change({ parts: { ...draft.parts, [name]: target.value } }, 'address', 'addressParts')
              }
            />
          ))}
        </div>
      )}
      <div className="-my-2 flex flex-wrap items-center gap-x-5">
        {!isOwn && address !== '' && (
          <p dir="auto" className="min-w-0 flex-1 basis-60 py-1 text-label text-ink-3">
            {address}
          </p>
        )}
        <button
          type="button"
          className={link}
          onClick={() => change({ ownAddress: isOwn ? null : address }, 'address')}
        >
          {t(isOwn ? 'checkout.address.parts' : 'checkout.address.own')}
        </button>
        <button type="button" className={link} aria-expanded={hasMap} onClick={() => setMap(!hasMap)}>
          {t(hasMap ? 'sale.mapHide' : 'sale.map')}
        </button>
      </div>
      {hasMap && (
        <MapPicker
          point={draft.point}
          source={draft.pinSource}
          areaId={area?.id ?? null}
          onChoose={(point, by) =>
            change({ point, pinSource: pinSourceOf[by], ignoreCoverage: false }, 'mapCoordinates', 'address')
          }
        />
      )}
      <TextField
        id={fieldId('instructions')}
        label={t('sale.instructions')}
        autoComplete="off"
        maxLength={1000}
        value={draft.instructions}
        error={problems['instructions']}
        onChange={({ target }) => change({ instructions: target.value }, 'instructions')}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          id={fieldId('receiverName')}
          label={t('sale.receiverName')}
          autoComplete="off"
          maxLength={100}
          value={draft.receiverName}
          error={problems['receiverName']}
          onChange={({ target }) => change({ receiverName: target.value }, 'receiverName')}
        />
        <TextField
          id={fieldId('receiverPhone')}
          label={t('sale.receiverPhone')}
          ltr
          inputMode="tel"
          autoComplete="off"
          maxLength={30}
          value={draft.receiverPhone}
          error={problems['receiverPhone']}
          onChange={({ target }) => change({ receiverPhone: target.value }, 'receiverPhone')}
        />
      </div>
    </section>
  )
}

/** The known addresses of the caller, if there are several. */
function Places({ sale: { draft, change } }: Pick<PlacePartProps, 'sale'>) {
  const t = useT()
  if (draft.places.length < 2) return null
  return (
    <fieldset>
      <legend className="mb-1.5 text-label font-strong">{t('sale.places')}</legend>
      <div className="grid gap-1.5">
        {draft.places.map((place) => (
          <label
            key={`${place.address} ${place.mapCoordinates.lat} ${place.mapCoordinates.lng}`}
            className="flex min-h-tap cursor-pointer items-center gap-2.5 rounded-m px-3 inset-ring inset-ring-line hover:bg-well has-checked:bg-gulf-soft"
          >
            <input
              type="radio"
              name="place"
              className="tick"
              checked={draft.ownAddress === place.address && isSamePoint(draft.point, place.mapCoordinates)}
              onChange={() => change({ ...deliverTo(place), ignoreCoverage: false }, 'mapCoordinates', 'address')}
            />
            <span dir="auto" className="min-w-0 text-as-page break-words">
              {place.address}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const isSamePoint = (a: Coordinates | null, b: Coordinates) => a?.lat === b.lat && a.lng === b.lng

/** Whether the vendor delivers there; the line is always rendered. */
function CoverageLine({ coverage, vendorId }: Pick<PlacePartProps, 'coverage' | 'vendorId'>) {
  const t = useT()
  const nameIn = useNameIn()
  const { state } = coverage
  const isBad = state === 'outside' || (state === 'refuses' && vendorId !== null)
  const Sign = isBad ? WarningIcon : state === 'delivers' ? CheckIcon : PinIcon
  const words = () => {
    if (state === 'delivers') return t('sale.delivers', { area: nameIn(coverage.area) })
    if (state === 'refuses')
      return vendorId === null ? nameIn(coverage.area) : t('sale.refuses', { area: nameIn(coverage.area) })
    if (state === 'outside') return t('sale.outside')
    if (state === 'error') return t('sale.coverageFailed')
    return state === 'checking' ? t('sale.checking') : ''
  }
  return (
    <p
      role="status"
      className={classes(
        '-mt-1.5 flex min-h-6 items-center gap-2 leading-relaxed',
        isBad ? 'font-strong text-clay' : state === 'delivers' ? 'text-aqua-ink' : 'text-ink-2',
      )}
    >
      {state !== 'idle' && (
        <>
          <Sign size={18} aria-hidden="true" className="flex-none" />
          {words()}
        </>
      )}
    </p>
  )
}

/** Delivery outside the areas; needs a permission and a reason. */
function Override({
  sale: { draft, problems, change },
  coverage,
  vendorId,
}: Pick<PlacePartProps, 'sale' | 'coverage' | 'vendorId'>) {
  const t = useT()
  const mayIgnore = useUser()?.permissions.includes('sales.ignore-coverage') ?? false
  const isBad = coverage.state === 'outside' || (coverage.state === 'refuses' && vendorId !== null)
  if (!isBad) return null
  if (!mayIgnore) return <p className="text-label text-ink-2">{t('sale.overrideAsk')}</p>
  return (
    <div className="appear grid gap-2 rounded-m bg-clay-soft px-4 py-3">
      <CheckboxField
        label={t('sale.override')}
        value={draft.ignoreCoverage}
        onChange={(ignoreCoverage) => {
          change({ ignoreCoverage }, 'reason', 'mapCoordinates')
          if (ignoreCoverage) focusSoon(fieldId('reason'))
        }}
      />
      {draft.ignoreCoverage && (
        <TextField
          id={fieldId('reason')}
          data-stop=""
          label={t('sale.overrideReason')}
          autoComplete="off"
          maxLength={300}
          value={draft.reason}
          error={problems['reason']}
          onChange={({ target }) => change({ reason: target.value }, 'reason')}
        />
      )}
    </div>
  )
}
