import {
  buttonKinds,
  type DraftButton,
  templateLimits as limits,
} from '@qatra/contract/whatsapp/templates/template-rules'
import { useT } from '../../../lib/language/i18n.tsx'
import { SelectField } from '../../../ui/admin/form/fields.tsx'
import { Button } from '../../../ui/Button.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { BinIcon, PlusIcon } from '../../../ui/icons.tsx'

interface TemplateButtonsProps {
  buttons: readonly DraftButton[]
  /** Offers need a way to stop, which a quick reply can be. */
  isOffer: boolean
  errors: Partial<Record<string, string>>
  onChange(buttons: DraftButton[]): void
}

const newButton: DraftButton = { type: 'QUICK_REPLY', text: '', value: '', sample: '' }

/** The buttons below a template, with what each of them needs. */
export function TemplateButtons({ buttons, isOffer, errors, onChange }: TemplateButtonsProps) {
  const t = useT()
  const change = (at: number, part: Partial<DraftButton>) =>
    onChange(buttons.map((one, place) => (place === at ? { ...one, ...part } : one)))
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="float-start mb-2 w-full font-strong">{t('templates.write.buttons')}</legend>
      {buttons.map(({ type, text, value, sample }, at) => (
        // A button has no identity but its place.
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <div key={at} className="clear-both grid items-start gap-3 rounded-m bg-well p-4 sm:grid-cols-2">
          <SelectField
            label={t('templates.write.button.kind', { number: at + 1 })}
            value={type}
            options={buttonKinds.map((kind) => ({ value: kind, label: t(`templates.button.${kind}`) }))}
            onChange={(kind) => change(at, { type: kind ?? 'QUICK_REPLY', value: '', sample: '' })}
          />
          {type !== 'COPY_CODE' && (
            <TextField
              label={t('templates.write.button.text')}
              hint={isOffer && type === 'QUICK_REPLY' ? t('templates.write.button.stop') : undefined}
              value={text}
              maxLength={limits.button}
              error={errors[`buttons.${at}.text`]}
              onChange={({ target }) => change(at, { text: target.value })}
            />
          )}
          {type !== 'QUICK_REPLY' && (
            <TextField
              label={t(`templates.button.value.${type}`)}
              value={value}
              ltr
              inputMode={type === 'URL' ? 'url' : type === 'PHONE_NUMBER' ? 'tel' : 'text'}
              spellCheck={false}
              error={errors[`buttons.${at}.value`]}
              onChange={({ target }) => change(at, { value: target.value.trim() })}
            />
          )}
          {type === 'URL' && value.includes('{{1}}') && (
            <TextField
              label={t('templates.write.button.sample')}
              value={sample}
              ltr
              error={errors[`buttons.${at}.sample`]}
              onChange={({ target }) => change(at, { sample: target.value })}
            />
          )}
          <div className="sm:col-span-2">
            <Button
              size="small"
              tone="danger"
              icon={BinIcon}
              onClick={() => onChange(buttons.filter((_, place) => place !== at))}
            >
              {t('templates.write.button.remove', { number: at + 1 })}
            </Button>
          </div>
        </div>
      ))}
      <div role="alert" className={errors['buttons'] ? 'clear-both text-label text-clay' : 'hidden'}>
        {errors['buttons']}
      </div>
      {buttons.length < limits.buttons && (
        <div className="clear-both">
          <Button size="small" icon={PlusIcon} onClick={() => onChange([...buttons, newButton])}>
            {t('templates.write.button.add')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
