import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Packer } from '../src/core/publish/settle.ts';

export const packer: Packer = {
  pack: text => deflateRawSync(text).toString('base64url'),
  unpack(packed) {
    try {
      return inflateRawSync(Buffer.from(packed, 'base64url')).toString('utf8');
    } catch {
      return null;
    }
  },
};
