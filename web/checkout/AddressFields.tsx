import { dirOf } from '@qatra/contract/lang'
import { useLanguage } from '../app/i18n.tsx'
import { TextArea, TextField } from '../ui/Field.tsx'
import { partLengths, partNames } from './address.ts'
import type { CheckoutFormState } from './use-checkout-form.ts'

const ADDRESS_MOST = 500
const INSTRUCTIONS_MOST = 1000
/** Text length from which the character counter is shown. */
const COUNT_FROM = 900

export function AddressFields({ state }: { state: CheckoutFormState }) {
  const { t, lang } = useLanguage()
  const { form, problems, address } = state
  const isOwn = form.ownAddress !== null
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
              label={name === 'flat' ? <Optional>{t('checkout.flat')}</Optional> : t(`checkout.${name}`)}
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
        onChange={({ currentTarget }) => state.setText('instructions', currentTarget.value)}
      />
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
