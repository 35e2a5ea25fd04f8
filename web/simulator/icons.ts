/** Icons of the make-believe phone alone. */
export { FileText as FileIcon, Image as ImageIcon, Mic as VoiceIcon, Video as VideoIcon } from 'lucide-react'
