import { dirOf } from '@qatra/contract/lib/lang'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { TextArea, TextField } from '../ui/Field.tsx'
import { type PartName, partLengths, partNames } from './address.ts'
import type { AddressFormState } from './use-address-form.ts'

const ADDRESS_MOST = 500
const INSTRUCTIONS_MOST = 1000
/** Text length from which the character counter is shown. */
const COUNT_FROM = 900

export function AddressFields({ state }: { state: AddressFormState }) {
  const { t, lang } = useLanguage()
  const { form, problems, address } = state
  const isOwn = form.ownAddress !== null
  const isOptional = (name: PartName) => name === 'flat' || (name === 'road' && !state.isRoadNeeded)
  return (
    <div className="grid gap-3.5">
      {isOwn ? (
        <TextArea
          id="checkout-address"
          name="address"
          label={t('checkout.address')}
          autoComplete="street-address"
          maxLength={ADDRESS_MOST}
          value={form.ownAddress ?? ''}
          error={problems.address}
          onChange={({ currentTarget }) => state.setOwnAddress(currentTarget.value)}
        />
      ) : (
        <div className="grid grid-cols-2 items-start gap-x-3 gap-y-3.5">
          {partNames.map((name) => (
            <TextField
              key={name}
              id={`checkout-${name}`}
              name={name}
              label={isOptional(name) ? <Optional>{t(`checkout.${name}`)}</Optional> : t(`checkout.${name}`)}
              // Text direction of the page: `auto` would align digits to the left.
              dir={dirOf(lang)}
              inputMode={name === 'block' ? 'numeric' : 'text'}
              autoComplete="off"
              maxLength={partLengths[name]}
              value={form.parts[name]}
              error={problems[name]}
              hint={name === 'block' && state.blockHint}
              onChange={({ currentTarget }) => state.setPart(name, currentTarget.value)}
            />
          ))}
        </div>
      )}
      <div className="-my-2 flex flex-wrap items-center justify-between gap-x-4">
        {!isOwn && form.point && (
          <p dir="auto" className="min-w-0 flex-1 basis-60 py-1 text-label text-ink-3">
            {address}
          </p>
        )}
        <button
          type="button"
          onClick={() => state.setOwnAddress(isOwn ? null : address)}
          className="min-h-tap text-label font-strong text-aqua-ink hover:underline"
        >
          {isOwn ? t('checkout.address.parts') : t('checkout.address.own')}
        </button>
      </div>
      <TextArea
        id="checkout-instructions"
        name="instructions"
        rows={2}
        label={<Optional>{t('checkout.instructions')}</Optional>}
        maxLength={INSTRUCTIONS_MOST}
        value={form.instructions}
        error={problems.instructions}
        hint={
          form.instructions.length >= COUNT_FROM &&
          t('checkout.charactersLeft', { count: INSTRUCTIONS_MOST - form.instructions.length })
        }
        onChange={({ currentTarget }) => state.setInstructions(currentTarget.value)}
      />
      <ReceiverFields state={state} />
    </div>
  )
}

/** Another person who takes the order, with a second phone. */
function ReceiverFields({ state: { form, problems, setReceiver } }: { state: AddressFormState }) {
  const t = useT()
  const { receiver } = form
  return (
    <div className="grid gap-3.5">
      <label className="flex min-h-tap cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          checked={receiver !== null}
          onChange={({ target }) => setReceiver(target.checked ? { name: '', phone: '' } : null)}
          className="tick"
        />
        {t('checkout.receiver')}
      </label>
      {receiver && (
        <div className="grid gap-x-3 gap-y-3.5 md:grid-cols-2">
          <TextField
            id="checkout-receiverName"
            name="receiverName"
            label={t('checkout.receiver.name')}
            autoComplete="off"
            maxLength={100}
            value={receiver.name}
            error={problems.receiverName}
            onChange={({ currentTarget }) => setReceiver({ ...receiver, name: currentTarget.value })}
          />
          <TextField
            id="checkout-receiverPhone"
            name="receiverPhone"
            label={t('checkout.receiver.phone')}
            ltr
            inputMode="tel"
            autoComplete="off"
            maxLength={30}
            value={receiver.phone}
            error={problems.receiverPhone}
            onChange={({ currentTarget }) => setReceiver({ ...receiver, phone: currentTarget.value })}
          />
        </div>
      )}
    </div>
  )
}

function Optional({ children }: { children: string }) {
  const { t } = useLanguage()
  return (
    <>
      {children} <span className="font-regular text-ink-3">({t('ui.optional')})</span>
    </>
  )
}
