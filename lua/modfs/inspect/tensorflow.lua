-- Which functions the libtensorflow_framework.so.2 of a TensorFlow release exports. Source:
-- the wheels of tensorflow-cpu for Linux on x86-64 on PyPI, x.y.0 each (2.16: 2.16.1), by
-- scripts/tensorflow_symbols.lua.
return {
  releases = [[
    2.6 2.7 2.8 2.9 2.10 2.11 2.12 2.13 2.14 2.15 2.16 2.17 2.18 2.19 2.20 2.21]],
  ["2.10-2.18"] = [[
    TF_AddNVariant TF_AssignRefVariable TF_ZerosLikeVariant]],
  ["2.10-2.21"] = [[
    TF_GetOpKernelName TF_GetOpKernelRequestedInput TF_RegisterKernelBuilderWithKernelDef]],
  ["2.11-2.21"] = [[
    TF_DeleteBuffer TF_GetBuffer TF_GetFrameId TF_GetGraphDefVersion TF_GetIterId
    TF_GetMutableOutput TF_GetResourceMgrDefaultContainerName TF_GetSerializedConfigProto
    TF_GetSerializedFunctionDefLibrary TF_InputRange TF_IsHostMemoryInput TF_IsHostMemoryOutput
    TF_KernelBuilder_Label TF_NewBuffer TF_NewBufferFromString
    TF_OpKernelConstruction_GetAttrFunction TF_OpKernelConstruction_GetNodeDef TF_SetShape]],
  ["2.12-2.21"] = [[
    TF_GetDeviceId TF_GetSerializedResourceHandleProto TF_GetStepId TF_InputDatatype]],
  ["2.13-2.21"] = [[
    TF_NewAsyncKernelBuilder TF_RunAsyncOpKernelDoneCallback]],
  ["2.14-2.21"] = [[
    TF_ForEachPayload]],
  ["2.15-2.18"] = [[
    TF_DestroyTemporaryVariable TF_TemporaryVariable]],
  ["2.15-2.21"] = [[
    TF_DecNumDeferredOps TF_IncNumDeferredOps]],
  ["2.16-2.21"] = [[
    TF_GetDeviceName TF_GetRendezvous]],
  ["2.17-2.21"] = [[
    TF_TensorDefaultAlignment]],
  ["2.6-2.18"] = [[
    TF_AssignUpdateVariable TF_AssignVariable TF_GetInputByName TF_GetInputTensorFromVariable
    TF_MaybeLockVariableInputMutexesInOrder TF_OpKernelConstruction_GetAttrTensorShape
    TF_OpKernelContext_ForwardRefInputToRefOutput TF_ReleaseVariableInputLockHolder]],
  ["2.6-2.20"] = [[
    TF_DVLog TF_Log TF_VLog]],
  ["2.6-2.21"] = [[
    TF_AllocateOutput TF_AllocateTemp TF_AllocateTensor TF_AppendWritableFile TF_CloseWritableFile
    TF_CreateDir TF_DataTypeSize TF_DefaultThreadOptions TF_DeleteDimensionHandle TF_DeleteDir
    TF_DeleteFile TF_DeleteKernelBuilder TF_DeleteOpDefinitionBuilder TF_DeleteRecursively
    TF_DeleteShapeHandle TF_DeleteStatus TF_DeleteTensor TF_Dim TF_DimensionHandleValue
    TF_DimensionHandleValueKnown TF_ExpectedOutputDataType TF_FileStat TF_FlushWritableFile
    TF_ForwardInputOrAllocateOutput TF_GetChildren TF_GetCode TF_GetInput
    TF_GetLocalTempDirectories TF_GetStream TF_GetSymbolFromLibrary TF_GetTempFileName
    TF_JoinThread TF_KernelBuilder_HostMemory TF_KernelBuilder_Priority
    TF_KernelBuilder_TypeConstraint TF_LoadSharedLibrary TF_Message TF_NewDimensionHandle
    TF_NewKernelBuilder TF_NewOpDefinitionBuilder TF_NewShapeHandle TF_NewStatus TF_NewTensor
    TF_NewWritableFile TF_NowMicros TF_NowNanos TF_NowSeconds TF_NumDims TF_NumInputs
    TF_NumOutputs TF_OpDefinitionBuilderAddAttr TF_OpDefinitionBuilderAddInput
    TF_OpDefinitionBuilderAddOutput TF_OpDefinitionBuilderDeprecated
    TF_OpDefinitionBuilderSetAllowsUninitializedInput TF_OpDefinitionBuilderSetIsAggregate
    TF_OpDefinitionBuilderSetIsCommutative TF_OpDefinitionBuilderSetIsStateful
    TF_OpDefinitionBuilderSetShapeInferenceFunction TF_OpKernelConstruction_Failure
    TF_OpKernelConstruction_GetAttrBool TF_OpKernelConstruction_GetAttrBoolList
    TF_OpKernelConstruction_GetAttrFloat TF_OpKernelConstruction_GetAttrFloatList
    TF_OpKernelConstruction_GetAttrInt32 TF_OpKernelConstruction_GetAttrInt32List
    TF_OpKernelConstruction_GetAttrInt64 TF_OpKernelConstruction_GetAttrInt64List
    TF_OpKernelConstruction_GetAttrSize TF_OpKernelConstruction_GetAttrString
    TF_OpKernelConstruction_GetAttrStringList TF_OpKernelConstruction_GetAttrType
    TF_OpKernelConstruction_GetAttrTypeList TF_OpKernelConstruction_GetName
    TF_OpKernelConstruction_HasAttr TF_OpKernelContext_Failure TF_RegisterKernelBuilder
    TF_RegisterOpDefinition TF_SetOutput TF_SetStatus TF_SetStatusFromIOError
    TF_ShapeInferenceContextConcatenateShapes TF_ShapeInferenceContextDim
    TF_ShapeInferenceContextGetInput TF_ShapeInferenceContextNumInputs
    TF_ShapeInferenceContextRank TF_ShapeInferenceContextRankKnown TF_ShapeInferenceContextScalar
    TF_ShapeInferenceContextSetOutput TF_ShapeInferenceContextSetUnknownShape
    TF_ShapeInferenceContextSubshape TF_ShapeInferenceContextVectorFromSize
    TF_ShapeInferenceContextWithRank TF_ShapeInferenceContextWithRankAtLeast
    TF_ShapeInferenceContextWithRankAtMost TF_ShapeInferenceContext_GetAttrType TF_StartThread
    TF_StepId TF_StringStreamDone TF_StringStreamNext TF_SyncWritableFile TF_TensorBitcastFrom
    TF_TensorByteSize TF_TensorData TF_TensorElementCount TF_TensorIsAligned TF_TensorMaybeMove
    TF_TensorType]],
  ["2.7-2.21"] = [[
    TF_SetPayload]],
  ["2.8-2.21"] = [[
    TF_OpKernelConstruction_GetAttrTensor TF_OpKernelConstruction_GetAttrTensorList]],
  ["2.9-2.18"] = [[
    TF_IsRefInput]],
}
