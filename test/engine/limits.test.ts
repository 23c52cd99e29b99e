import { createCeiling, createEndpoints } from '../../src/engine/asking/limits.ts';
import { describeCeiling, describeEndpoints } from '../contracts/limits.ts';

describeCeiling('a process', createCeiling);
describeEndpoints('a process', createEndpoints);
