import type { Coordinates } from '@qatra/contract/places/geo'
import type { ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import { LONGEST_MESSAGE } from '@qatra/contract/whatsapp/inbox/reply'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { MapPicker } from '../../../map/MapPicker.tsx'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { CannedIcon, FileIcon, NoteIcon, VoiceIcon } from '../../../ui/admin/icons.ts'
import { useScreen } from '../../../ui/admin/media.ts'
import { Button } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { ClockIcon, SendIcon } from '../../../ui/icons.tsx'
import type { Colleague } from '../chat/presence.ts'
import { focusThread } from '../inbox/use-inbox-keys.ts'
import { TemplateFields } from '../templates/TemplateFields.tsx'
import { useTemplateChoice } from '../templates/template-choice.ts'
import { AnsweringBar } from './AnsweringBar.tsx'
import { AttachMenu } from './AttachMenu.tsx'
import { CannedSuggestions, languageOf, useSuggestions } from './CannedSuggestions.tsx'
import { send } from './outbox.ts'
import { AttachedFiles, QuotedMessage, RecordingBar } from './ReplyParts.tsx'
import { useFileDrop } from './use-attachments.ts'
import { useComposer } from './use-composer.ts'
import { canRecord, useRecorder } from './use-recorder.ts'

interface ComposerProps {
  contactId: number
  detail: ConversationDetail | undefined
  /** Colleagues with the conversation open. */
  others: readonly Colleague[]
  now: Date
}

const COUNTED_FROM = LONGEST_MESSAGE - 400
const tool =
  'grid size-8 flex-none place-items-center rounded-s hover:bg-well max-md:size-tap aria-pressed:bg-gulf-soft aria-pressed:text-gulf'

/** Reply field: free text inside the 24-hour window, otherwise a template; and internal notes. */
export function Composer({ contactId, detail, others, now }: ComposerProps) {
  const { t } = useLanguage()
  const isPhone = useScreen('phone')
  const composer = useComposer(contactId, detail, others)
  const { text, setText, isNote, setNote, problem, busy } = composer
  const suggestions = useSuggestions(isNote ? '' : text, detail, composer.insert)
  const [isChoosing, setChoosing] = useState(false)
  const [isPlacing, setPlacing] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const { attachments, setProblem } = composer
  const isClosed = detail !== undefined && !isOpenAt(detail, now)
  const mayWrite = isNote || !isClosed
  const recorder = useRecorder({
    isAllowed: mayWrite,
    onRefused: () => setProblem(t('inbox.recording.refused')),
    onRecorded: (file) => void composer.sendVoice(file),
  })
  const isOver = useFileDrop(box, !isNote && !isClosed, (files) => void attachments.add(files))
  return (
    <div ref={box} className="flex-none border-t border-line bg-page px-4 pt-3 pb-4 max-md:px-3 max-md:pb-3 lg:px-5">
      {detail && <AnsweringBar detail={detail} />}
      {!mayWrite && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-m bg-well px-3.5 py-2.5">
          <ClockIcon size={18} aria-hidden="true" className="flex-none text-ink-2" />
          <p className="min-w-0 flex-1 basis-60">
            <b className="font-strong">{t('inbox.closed')}</b>{' '}
            <span className="text-ink-2">{t('inbox.closed.hint')}</span>
          </p>
          <Button size="small" tone="aqua" onClick={() => setChoosing(true)}>
            {t('inbox.template.choose')}
          </Button>
          <Button size="small" tone="link" onClick={() => setNote(true)}>
            {t('inbox.note.write')}
          </Button>
        </div>
      )}
      {isOver && (
        <p className="mb-2 rounded-m bg-gulf-soft px-3 py-2 text-center text-gulf">{t('inbox.attach.drop')}</p>
      )}
      {mayWrite && recorder.seconds !== null && (
        <RecordingBar seconds={recorder.seconds} onCancel={recorder.cancel} onSend={recorder.finish} />
      )}
      {mayWrite && recorder.seconds === null && (
        <form
          className="relative"
          onSubmit={(event) => {
            event.preventDefault()
            composer.submit()
          }}
        >
          <CannedSuggestions suggestions={suggestions} />
          {!isNote && composer.quoted && <QuotedMessage message={composer.quoted} onRemove={composer.removeQuote} />}
          {!isNote && <AttachedFiles files={attachments.files} onRemove={attachments.remove} />}
          <div
            className={classes(
              'flex flex-wrap items-end gap-x-2 gap-y-1 rounded-m p-1.5 ps-3 inset-ring has-[textarea:focus-visible]:inset-ring-2 has-[textarea:focus-visible]:inset-ring-focus',
              isNote ? 'bg-well inset-ring-line-strong' : 'bg-surface inset-ring-line-strong',
            )}
          >
            <textarea
              ref={composer.field}
              data-composer
              dir="auto"
              rows={1}
              value={text}
              maxLength={LONGEST_MESSAGE}
              enterKeyHint={isPhone ? 'enter' : 'send'}
              aria-label={t(isNote ? 'inbox.note.label' : 'inbox.reply')}
              placeholder={t(isNote ? 'inbox.note.placeholder' : 'inbox.reply.placeholder')}
              aria-describedby={problem ? 'composer-problem' : undefined}
              aria-invalid={problem ? true : undefined}
              {...suggestions.fieldProps}
              className="field-sizing-content max-h-40 min-h-9.5 min-w-0 flex-1 basis-44 resize-none bg-transparent py-1.75 text-[0.9375rem] leading-relaxed outline-none placeholder:text-ink-3"
              onChange={({ target }) => setText(target.value)}
              onPaste={isNote ? undefined : attachments.onPaste}
              onKeyDown={(event) => {
                if (suggestions.onKey(event)) return
                if (event.key === 'Escape' && composer.quoted) return composer.removeQuote()
                if (event.key === 'Escape') focusThread()
                const isSending = event.key === 'Enter' && !event.shiftKey && !isPhone
                if (!isSending || event.nativeEvent.isComposing) return
                event.preventDefault()
                composer.submit()
              }}
            />
            <span className="ms-auto flex items-center gap-0.5 text-ink-2">
              {text.length > COUNTED_FROM && (
                <bdi dir="ltr" className="px-1 text-caption">
                  {text.length} / {LONGEST_MESSAGE}
                </bdi>
              )}
              <button
                type="button"
                aria-pressed={isNote}
                aria-label={t('inbox.note.write')}
                title={t('inbox.note.write')}
                className={tool}
                onClick={() => setNote(!isNote)}
              >
                <NoteIcon size={18} aria-hidden="true" />
              </button>
              {!isNote && (
                <button
                  type="button"
                  aria-label={t('inbox.canned.insert')}
                  title={t('inbox.canned.insert')}
                  className={tool}
                  onClick={composer.beginCanned}
                >
                  <CannedIcon size={18} aria-hidden="true" />
                </button>
              )}
              {!isNote && (
                <button
                  type="button"
                  aria-label={t('inbox.template.choose')}
                  title={t('inbox.template.choose')}
                  className={tool}
                  onClick={() => setChoosing(true)}
                >
                  <FileIcon size={18} aria-hidden="true" />
                </button>
              )}
              {!isNote && (
                <AttachMenu
                  className={tool}
                  hasCamera={isPhone}
                  onFiles={(files) => void attachments.add(files)}
                  onLocation={() => setPlacing(true)}
                />
              )}
              {!isNote && canRecord() && (
                <button
                  type="button"
                  aria-label={t('inbox.record')}
                  title={t('inbox.record')}
                  className={tool}
                  onClick={() => void recorder.start()}
                >
                  <VoiceIcon size={18} aria-hidden="true" />
                </button>
              )}
              <Button
                type="submit"
                size="small"
                tone={isNote ? 'gulf' : 'aqua'}
                busy={busy}
                className="ms-1 px-3.5"
                aria-label={t(isNote ? 'inbox.note.save' : 'inbox.send')}
              >
                {!isNote && <SendIcon size={18} aria-hidden="true" />}
                <span className={isNote ? '' : 'max-md:sr-only'}>{t(isNote ? 'inbox.note.save' : 'inbox.send')}</span>
              </Button>
            </span>
          </div>
        </form>
      )}
      <p id="composer-problem" role="alert" className={problem ? 'mt-1.5 text-caption text-clay' : 'hidden'}>
        {problem}
      </p>
      <ConfirmDialog
        open={composer.held !== null}
        title={t('inbox.presence.typing', { name: composer.held?.name ?? '' })}
        confirm={t('inbox.sendAnyway')}
        cancel={t('inbox.typing.wait')}
        onConfirm={() => composer.answerHeld(true)}
        onCancel={() => composer.answerHeld(false)}
      >
        {t('inbox.typing.text')}
      </ConfirmDialog>
      {isPlacing && (
        <LocationDialog
          onClose={() => setPlacing(false)}
          onSend={(place) => {
            setPlacing(false)
            composer.sendLocation(place)
          }}
        />
      )}
      {isChoosing && detail && <TemplateDialog detail={detail} onClose={() => setChoosing(false)} />}
    </div>
  )
}

const isOpenAt = ({ windowEndsAt }: ConversationDetail, now: Date) =>
  windowEndsAt !== null && now.getTime() < Date.parse(windowEndsAt)

interface LocationProps {
  onSend(place: Coordinates & { name?: string }): void
  onClose(): void
}

/** Chooses a place to send: on the map, by search or the device's own. */
function LocationDialog({ onSend, onClose }: LocationProps) {
  const t = useT()
  const [point, setPoint] = useState<Coordinates | null>(null)
  const [name, setName] = useState('')
  return (
    <Dialog
      open
      title={t('inbox.location.title')}
      className="max-w-140"
      safe={{ label: t('inbox.location.cancel'), onChoose: onClose }}
      action={{
        label: t('inbox.location.send'),
        tone: 'aqua',
        reason: point ? null : t('inbox.location.none'),
        onChoose: () => point && onSend({ ...point, ...(name.trim() ? { name: name.trim() } : {}) }),
      }}
    >
      <div className="grid gap-3 pt-2">
        <MapPicker point={point} source={null} areaId={null} onChoose={setPoint} />
        <TextField
          label={t('inbox.location.name')}
          value={name}
          maxLength={300}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
    </Dialog>
  )
}

/** Sends a template, which is allowed outside the 24-hour window. */
function TemplateDialog({ detail, onClose }: { detail: ConversationDetail; onClose(): void }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const choice = useTemplateChoice({ language: languageOf(detail, lang), hasOffers: detail.optedOutAt === null })
  function submit() {
    const filled = choice.filled()
    if (!filled) return
    send(queries, { contactId: detail.contactId, reply: { template: filled.choice }, text: filled.text })
    onClose()
  }
  return (
    <Dialog
      open
      title={t('inbox.template.choose')}
      className="max-w-130"
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      {...(choice.template ? { action: { label: t('inbox.template.send'), onChoose: submit } } : {})}
    >
      <div className="mt-3 grid max-h-[55dvh] gap-3.5 overflow-y-auto p-0.5 text-ink">
        <TemplateFields choice={choice} />
      </div>
    </Dialog>
  )
}
