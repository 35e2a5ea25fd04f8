import type { Coordinates } from '@qatra/contract/places/geo'
import { useNameIn } from '../../app/names.ts'
import { AreaCombobox } from '../../areas/admin/AreaCombobox.tsx'
import { AddressFields, ReceiverFields } from '../../checkout/AddressFields.tsx'
import { addressFieldNames } from '../../checkout/address-form.ts'
import type { Coverage } from '../../checkout/coverage.ts'
import type { AddressFormState } from '../../checkout/use-address-form.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { CheckboxField } from '../../ui/admin/form/fields.tsx'
import { classes } from '../../ui/class-names.ts'
import { TextField } from '../../ui/Field.tsx'
import { CheckIcon, PinIcon, WarningIcon } from '../../ui/icons.tsx'
import { deliverTo } from './draft.ts'
import { fieldId, focusSoon } from './focus.ts'
import type { Sale } from './use-sale.ts'

interface PlacePartProps {
  sale: Sale
  vendorId: number | null
  state: AddressFormState
}

/** Delivery address: area, address fields, and an optional pin. */
export function PlacePart({ sale, vendorId, state }: PlacePartProps) {
  const t = useT()
  const { coverage, form, problems } = state
  // A permission to deliver outside of the areas is for one place.
  const place: AddressFormState = {
    ...state,
    setPoint(...chosen) {
      sale.change({ ignoreCoverage: false })
      state.setPoint(...chosen)
    },
  }
  return (
    <section aria-labelledby="sale-place" className="grid gap-3.5">
      <h2 id="sale-place" className="text-heading">
        {t('sale.place')}
      </h2>
      <Places sale={sale} />
      <div id={fieldId('map')} data-stop="">
        <AreaCombobox
          area={state.area}
          vendorId={vendorId}
          error={problems.map}
          placeholder={t('sale.areaHint')}
          onChoose={(area) => {
            place.setPoint(area?.centre ?? null, 'list')
            if (area && form.ownAddress === null) focusSoon(fieldId('block'))
          }}
        />
      </div>
      <CoverageLine coverage={coverage} vendorId={vendorId} />
      <Override sale={sale} coverage={coverage} vendorId={vendorId} />
      <AddressFields
        state={place}
        ids="sale"
        map={{ show: t('sale.map'), hide: t('desk.address.mapHide'), linkClass: 'min-h-tap' }}
        receiver={
          <ReceiverFields
            state={place}
            ids="sale"
            labels={[t('sale.receiverName'), t('sale.receiverPhone')]}
            className="grid gap-3 sm:grid-cols-2"
          />
        }
      />
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
              onChange={() => change({ ...deliverTo(place), ignoreCoverage: false }, ...addressFieldNames)}
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
function CoverageLine({ coverage, vendorId }: { coverage: Coverage; vendorId: number | null }) {
  const t = useT()
  const nameIn = useNameIn()
  const { state } = coverage
  const isBad = state === 'outside' || (state === 'refuses' && vendorId !== null)
  const Sign = isBad ? WarningIcon : state === 'delivers' ? CheckIcon : PinIcon
  const words = () => {
    if (state === 'delivers') return t('sale.delivers', { area: nameIn(coverage.area) })
    if (state === 'refuses')
      return vendorId === null ? nameIn(coverage.area) : t('sale.refuses', { area: nameIn(coverage.area) })
    if (state === 'outside') return t('desk.address.outside')
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
}: Pick<PlacePartProps, 'sale' | 'vendorId'> & { coverage: Coverage }) {
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
          change({ ignoreCoverage }, 'reason', 'map')
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
