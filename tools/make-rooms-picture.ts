// Draws docs/images/rooms.svg from rooms.json.
import { writeFileSync } from 'node:fs'
import { makePicture, PICTURE } from './rooms/picture.ts'

writeFileSync(PICTURE, makePicture())
