import { useRef } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { CameraIcon, ClipIcon, FileIcon } from '../../../ui/admin/icons.ts'
import { Menu } from '../../../ui/admin/Menu.tsx'
import { PinIcon } from '../../../ui/icons.tsx'
import { ACCEPTED } from './outgoing-files.ts'

interface AttachProps {
  className: string
  hasCamera: boolean
  onFiles(files: File[]): void
  onLocation(): void
}

/** Chooses files, takes a picture or sends a place. */
export function AttachMenu({ className, hasCamera, onFiles, onLocation }: AttachProps) {
  const t = useT()
  const chooser = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const take = (input: HTMLInputElement) => {
    onFiles([...(input.files ?? [])])
    // The same file can be chosen again.
    input.value = ''
  }
  return (
    <>
      <Menu
        label={t('inbox.attach')}
        buttonLabel={t('inbox.attach')}
        button={<ClipIcon size={18} aria-hidden="true" />}
        className={className}
        place="above"
        choices={[
          { key: 'file', label: t('inbox.attach.file'), icon: FileIcon, onChoose: () => chooser.current?.click() },
          ...(hasCamera
            ? [
                {
                  key: 'camera',
                  label: t('inbox.attach.camera'),
                  icon: CameraIcon,
                  onChoose: () => camera.current?.click(),
                },
              ]
            : []),
          { key: 'place', label: t('inbox.attach.location'), icon: PinIcon, onChoose: onLocation },
        ]}
      />
      <input
        ref={chooser}
        type="file"
        multiple
        accept={ACCEPTED}
        hidden
        aria-label={t('inbox.attach.file')}
        data-attach
        onChange={({ target }) => take(target)}
      />
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        aria-label={t('inbox.attach.camera')}
        onChange={({ target }) => take(target)}
      />
    </>
  )
}
