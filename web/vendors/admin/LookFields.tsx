import { emblems } from '@qatra/contract/vendors/emblems'
import { useT } from '../../lib/language/i18n.tsx'
import { classes } from '../../ui/class-names.ts'
import { TextField } from '../../ui/Field.tsx'
import { VendorEmblem } from '../../ui/VendorEmblem.tsx'

interface ChoiceProps {
  value: string | null
  onChange(value: string | null): void
  error?: string | undefined
}

/** Selects a drawn emblem, shown in the vendor's colour, or the initials. */
export function EmblemField({
  value,
  onChange,
  tint,
  name,
  error,
}: ChoiceProps & { tint: string | null; name: string }) {
  const t = useT()
  return (
    <fieldset>
      <legend className="mb-1.5 text-label font-strong">{t('admin.vendors.emblem')}</legend>
      <div className="flex flex-wrap gap-2">
        {[...emblems, null].map((key) => (
          <label
            key={key ?? ''}
            className={classes(
              'cursor-pointer rounded-l p-1 has-focus-visible:outline-2 has-focus-visible:outline-focus',
              key === value ? 'bg-gulf-soft inset-ring-2 inset-ring-gulf' : 'hover:bg-well',
            )}
          >
            <input
              type="radio"
              name="emblem"
              className="sr-only"
              checked={key === value}
              aria-label={key ? t(`admin.vendors.emblem.${key}`) : t('admin.vendors.emblem.none')}
              onChange={() => onChange(key)}
            />
            <VendorEmblem emblem={key} tint={tint} name={name || 'Q'} size={40} />
          </label>
        ))}
      </div>
      {error && <p className="mt-1 text-clay">{error}</p>}
    </fieldset>
  )
}

/** Colour as a hex code or by the browser's colour input. */
export function TintField({ value, onChange, error }: ChoiceProps) {
  const t = useT()
  const isColour = /^#[0-9a-f]{6}$/i.test(value ?? '')
  return (
    <TextField
      label={t('admin.vendors.tint')}
      hint={t('admin.vendors.tint.hint')}
      error={error}
      ltr
      name="tint"
      spellCheck={false}
      maxLength={7}
      placeholder="#"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value.trim() === '' ? null : event.target.value.trim())}
      before={
        <input
          type="color"
          aria-label={t('admin.vendors.tint.choose')}
          className="size-7 flex-none cursor-pointer rounded-s max-md:size-tap"
          value={isColour && value ? value : defaultTint}
          onChange={(event) => onChange(event.target.value)}
        />
      }
    />
  )
}
/** Value of the colour input while no colour is set. */
const defaultTint = `#${'14708f'}`
