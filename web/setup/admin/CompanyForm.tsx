import { leftToRight } from '@qatra/contract/lib/text'
import { getSettings, type Settings, saveSettings } from '@qatra/contract/settings/settings'
import { getSetup } from '@qatra/contract/settings/setup'
import { getSite } from '@qatra/contract/settings/site'
import { useQueryClient } from '@tanstack/react-query'
import { useInLang } from '../../app/names.ts'
import { call, read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { FieldSet, Form } from '../../ui/admin/form/Form.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { toast } from '../../ui/Toast.tsx'
import { bodyOf, type FactName, isFactName, type SettingsValues, valuesOf } from './settings-values.ts'

interface CompanyFormProps {
  settings: Settings
  submit: string
  onSaved?(): void | Promise<void>
}

/** Facts about the company, Arabic beside English, with a preview of the footer. */
export function CompanyForm({ settings, submit, onSaved }: CompanyFormProps) {
  const t = useT()
  const queries = useQueryClient()
  const form = useForm({
    body: saveSettings.body,
    start: valuesOf(settings),
    toBody: (values) => bodyOf(values, settings.version),
    fieldAt: (path) => {
      const name = path.join('.')
      return isFactName(name) ? name : null
    },
    send: (body) => call(saveSettings, { body }),
    onSaved: (saved) => {
      toast({ title: t('settings.saved') })
      queries.setQueryData(read(getSettings).queryKey, saved)
      for (const { path } of [getSetup, getSite]) void queries.invalidateQueries({ queryKey: [path] })
      void onSaved?.()
    },
  })
  const field = (name: FactName) => ({ label: t(`settings.${name}`), ...form.text(name) })
  const ar = { dir: 'rtl', lang: 'ar' } as const
  const en = { dir: 'ltr', lang: 'en' } as const
  const link = { ltr: true, inputMode: 'url', placeholder: 'https://', maxLength: 300 } as const
  return (
    <Form form={form} label={t('settings.form')}>
      <FieldSet legend={t('settings.part.name')}>
        <Pair>
          <TextField {...field('company.nameAr')} {...ar} maxLength={200} />
          <TextField {...field('company.name')} {...en} maxLength={200} />
        </Pair>
        <Pair>
          <TextArea {...field('company.addressAr')} {...ar} rows={2} maxLength={500} />
          <TextArea {...field('company.address')} {...en} rows={2} maxLength={500} />
        </Pair>
      </FieldSet>
      <FieldSet legend={t('settings.part.register')}>
        <Pair>
          <TextField {...field('company.crNumber')} ltr maxLength={30} />
          <TextField
            {...field('company.vatNumber')}
            hint={t('settings.company.vatNumber.hint')}
            ltr
            inputMode="numeric"
            maxLength={30}
          />
        </Pair>
      </FieldSet>
      <FieldSet legend={t('settings.part.support')}>
        <Pair>
          <TextField {...field('support.phone')} ltr inputMode="tel" maxLength={30} />
          <TextField {...field('support.whatsapp')} ltr inputMode="tel" maxLength={30} />
        </Pair>
        <TextField {...field('support.email')} ltr inputMode="email" maxLength={200} />
        <Pair>
          <TextField {...field('support.hoursAr')} {...ar} maxLength={100} />
          <TextField {...field('support.hours')} {...en} maxLength={100} />
        </Pair>
      </FieldSet>
      <FieldSet legend={t('settings.part.links')}>
        <Pair>
          <TextField {...field('social.instagram')} {...link} />
          <TextField {...field('social.x')} {...link} />
          <TextField {...field('social.tiktok')} {...link} />
          <TextField {...field('apps.ios')} {...link} />
          <TextField {...field('apps.android')} {...link} />
        </Pair>
      </FieldSet>
      <CompanyPreview values={form.values} />
      <div className="foot-bar flex justify-end border-t border-line bg-page py-3 max-md:static">
        <Button type="submit" tone="aqua" busy={form.busy}>
          {submit}
        </Button>
      </div>
    </Form>
  )
}

const Pair = ({ children }: { children: React.ReactNode }) => (
  <div className="grid items-start gap-x-4 gap-y-4 md:grid-cols-2">{children}</div>
)

/** The footer of the shop with the typed facts. */
function CompanyPreview({ values }: { values: SettingsValues }) {
  const t = useT()
  const inLang = useInLang()
  const cr = values['company.crNumber'].trim()
  const vat = values['company.vatNumber'].trim()
  const facts = [
    inLang(values['company.name'], values['company.nameAr']),
    inLang(values['company.address'], values['company.addressAr']),
    cr && t('settings.preview.cr', { number: leftToRight(cr) }),
    vat && t('settings.preview.vat', { number: leftToRight(vat) }),
  ].filter((fact) => fact.trim() !== '')
  const phone = values['support.phone'].trim() || values['support.whatsapp'].trim()
  return (
    <figure className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-l bg-well px-5 py-3.5 text-label">
      <Mark size={34} />
      <div className="min-w-0 flex-1">
        <figcaption className="font-strong">{t('settings.preview')}</figcaption>
        <p className="flex flex-wrap gap-x-3 text-ink-2 wrap-anywhere">
          {facts.length > 0 ? facts.map((fact) => <span key={fact}>{fact}</span>) : t('settings.preview.none')}
        </p>
      </div>
      <div className="text-end text-ink-2">
        {phone && <bdi dir="ltr">{phone}</bdi>}
        <span className="block text-ink-3">{inLang(values['support.hours'], values['support.hoursAr'])}</span>
      </div>
    </figure>
  )
}
