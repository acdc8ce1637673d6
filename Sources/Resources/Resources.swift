import CoreTypes
